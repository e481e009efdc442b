/** Exchange rates of the reporting currency, and their import. */
import { useState } from "react";
import { useAction, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { TextArea, TextField } from "../parts/Field.tsx";
import { Section } from "../parts/Panel.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./money.module.css";

export function Rates() {
  const rates = useCall("rates", {});
  const [importing, setImporting] = useState(false);
  const may = useMay("admin");
  const base = rates.data?.base ?? "";
  return (
    <Section
      title="Exchange rates"
      says={`how much one ${base} buys`}
      actions={
        may && (
          <Button small onClick={() => setImporting(true)}>
            Import
          </Button>
        )
      }
    >
      <Shown of={rates}>
        {({ rates: rows }) =>
          rows.length === 0 ? (
            <Empty title="No rates yet">An admin imports them; none are invented. Until then each currency stands on its own.</Empty>
          ) : (
            <div className={styles["short"]}>
              <Table
                label="Exchange rates"
                dense
                rows={rows}
                keyOf={({ currency, day }) => `${currency} ${day}`}
                columns={[
                  { key: "currency", head: "Currency", cell: ({ currency }) => <span className="strong">{currency}</span> },
                  { key: "rate", head: "Rate", end: true, cell: ({ rate }) => rate },
                  { key: "day", head: "Day", cell: ({ day }) => day },
                  { key: "source", head: "Source", cell: ({ source }) => <span className="quiet">{source}</span> },
                ]}
              />
            </div>
          )
        }
      </Shown>
      {importing && <Import base={base} onClose={() => setImporting(false)} />}
    </Section>
  );
}

function Import({ base, onClose }: { readonly base: string; readonly onClose: () => void }) {
  const [csv, setCsv] = useState("");
  const [source, setSource] = useState("");
  const imports = useAction("ratesImport", { onDone: onClose });
  const line = imports.error?.fields["csv"];
  return (
    <Dialog title="Import exchange rates" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          imports.mutate({ csv, source });
        }}
      >
        <TextArea
          label={`day,currency,rate: how much of the currency one ${base} buys`}
          hint="Example: 2026-11-18,MXN,21.30. Replaces a rate of the same day. If one line is wrong, none is imported."
          rows={8}
          required
          value={csv}
          problem={line === undefined ? undefined : `This line is not day,currency,rate: ${line}`}
          onChange={({ target }) => setCsv(target.value)}
        />
        <TextField label="Source" required placeholder="ECB" value={source} onChange={({ target }) => setSource(target.value)} />
        {imports.error !== null && line === undefined && <Notice tone="bad">{imports.error.message}</Notice>}
        <div className="row">
          <Button type="submit" kind="main" busy={imports.isPending}>
            Import
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
