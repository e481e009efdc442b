/** The ledger rows that make up a sum. */
import { minorUnitsOf } from "#core/formats.ts";
import { useState } from "react";
import { call, type Input, type Output, StudioError, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { CsvButton } from "../parts/Csv.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Money, When } from "../parts/Formats.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { entryKinds } from "../contract/money.ts";
import styles from "./money.module.css";
import { countryWords, kindsWords, kindWords, providerWords } from "./words.ts";

type Filters = Input<"moneyRows">;
type Row = Output<"moneyRows">["rows"][number];
const inOnePage = "1000";

async function everyRow(filters: Filters): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page: Output<"moneyRows"> = await call("moneyRows", { ...filters, limit: inOnePage, ...(after === undefined ? {} : { after }) });
    rows.push(...page.rows);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return rows;
}

/** An exact decimal amount, so that spreadsheets can add it up. */
function decimal(minor: number | null, currency: string): string {
  if (minor === null) return "";
  const digits = String(minorUnitsOf(currency)).length - 1;
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const sign = minor < 0 ? "-" : "";
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const csvHead = ["at", "kind", "id", "transaction", "order", "product", "country", "provider", "currency", "gross", "tax", "fee", "net"];
export async function csvRows(filters: Filters): Promise<readonly (readonly unknown[])[]> {
  const rows = await everyRow(filters);
  return [
    csvHead,
    ...rows.map((row) => [
      new Date(row.at).toISOString(),
      row.kind,
      row.id,
      row.transactionId,
      row.orderId,
      row.product,
      row.country,
      row.provider,
      row.currency,
      decimal(row.gross, row.currency),
      decimal(row.tax, row.currency),
      decimal(row.fee, row.currency),
      decimal(row.net, row.currency),
    ]),
  ];
}

export function Rows({
  title,
  filters,
  kind,
  onKind,
  onClose,
}: {
  readonly title: string;
  readonly filters: Filters;
  readonly kind: "all" | (typeof entryKinds)[number];
  readonly onKind: (kind: "all" | (typeof entryKinds)[number]) => void;
  readonly onClose: () => void;
}) {
  const wanted: Filters = { ...filters, ...(kind === "all" ? {} : { kind }) };
  const rows = useCall("moneyRows", wanted);
  return (
    <Dialog title={title} wide="table" onClose={onClose}>
      <div className="row wrap">
        <Segmented
          label="Kind"
          value={kind}
          options={[["all", "All"], ...entryKinds.map((each) => [each, kindsWords[each]] as const)]}
          onChange={onKind}
        />
        <span className="push row">
          <CsvButton small name="money-rows" rows={() => csvRows(wanted)} />
          <Button small onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
      <Shown of={rows}>
        {(page) =>
          page.rows.length === 0 ? <Empty title="No payments match" /> : <List key={JSON.stringify(wanted)} filters={wanted} first={page} />
        }
      </Shown>
    </Dialog>
  );
}

function List({ filters, first }: { readonly filters: Filters; readonly first: Output<"moneyRows"> }) {
  const [older, setOlder] = useState<Output<"moneyRows"> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const after = older === null ? first.next : older.next;
  const more = async () => {
    try {
      const page = await call("moneyRows", { ...filters, after: after ?? undefined });
      setOlder({ rows: [...(older?.rows ?? []), ...page.rows], next: page.next });
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof StudioError ? error.message : "The next rows could not be loaded.");
    }
  };
  const money = (minor: number | null, { currency }: Row) => <Money minor={minor} currency={currency} />;
  return (
    <div className={styles["scrolls"]}>
      <Table
        label="Rows"
        dense
        rows={[...first.rows, ...(older?.rows ?? [])]}
        keyOf={({ provider, id }) => `${provider} ${id}`}
        columns={[
          { key: "at", head: "When", cell: ({ at }) => <When at={at} /> },
          { key: "kind", head: "What", cell: (row) => (row.kind === "payment" && row.gross === 0 ? "Trial" : kindWords[row.kind]) },
          { key: "id", head: "Transaction", cell: (row) => <span className="code">{row.transactionId}</span> },
          { key: "product", head: "Product", cell: (row) => row.product ?? "not known" },
          { key: "country", head: "Country", cell: (row) => countryWords(row.country ?? "none") },
          { key: "provider", head: "Provider", cell: (row) => providerWords[row.provider] ?? row.provider },
          { key: "gross", head: "Gross", end: true, cell: (row) => money(row.gross, row) },
          { key: "tax", head: "Tax", end: true, cell: (row) => money(row.tax, row) },
          { key: "fee", head: "Fee", end: true, cell: (row) => money(row.fee, row) },
          { key: "net", head: "Net", end: true, cell: (row) => <span className="strong">{money(row.net, row)}</span> },
        ]}
      />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {after !== null && <Button onClick={() => void more()}>Show older</Button>}
    </div>
  );
}
