/** The plans whose charge failed, each with its owner. */
import { Link } from "@tanstack/react-router";
import { type Input, type Output, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { CsvButton } from "../parts/Csv.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Status } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { useMay } from "../shell/operator.ts";
import styles from "./money.module.css";
import { countryWords, providerWords } from "./words.ts";

type Found = Output<"failedCharges">;
type Row = Found["rows"][number];

const csvHead = ["failed", "subscription", "product", "country", "provider", "paid"];
const csvOf = ({ rows }: Found) => [
  csvHead,
  ...rows.map(({ at, subscriptionId, product, country, provider, paidAt }) => [
    new Date(at).toISOString(),
    subscriptionId,
    product,
    country,
    provider,
    paidAt === null ? null : new Date(paidAt).toISOString(),
  ]),
];

export function FailedCharges({ filters, onClose }: { readonly filters: Input<"failedCharges">; readonly onClose: () => void }) {
  const charges = useCall("failedCharges", filters);
  return (
    <Dialog title="Charges that failed" wide="table" onClose={onClose}>
      <div className="row wrap">
        <span className="push row">
          {charges.data !== undefined && <CsvButton small name="failed-charges" rows={() => csvOf(charges.data)} />}
          <Button small onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
      <Shown of={charges}>
        {(found) => (found.rows.length === 0 ? <Empty title="No charge failed in these days" /> : <List found={found} />)}
      </Shown>
    </Dialog>
  );
}

function List({ found: { rows, count } }: { readonly found: Found }) {
  const seesPersons = useMay("support");
  const person = (row: Row) =>
    row.person === null ? (
      <span className="quiet">no account</span>
    ) : (
      <Link className="link" data-row="" to="/people/$uuid" params={{ uuid: row.person }}>
        Open
      </Link>
    );
  return (
    <div className={styles["scrolls"]}>
      <Table
        label="Charges that failed"
        dense
        keys
        rows={rows}
        keyOf={({ provider, subscriptionId, paidAt }) => `${provider} ${subscriptionId} ${paidAt}`}
        columns={[
          { key: "at", head: "Failed", cell: ({ at }) => <When at={at} /> },
          ...(seesPersons ? [{ key: "person", head: "Person", cell: person }] : []),
          { key: "id", head: "Subscription", cell: ({ subscriptionId }) => <span className="code">{subscriptionId}</span> },
          { key: "product", head: "Product", cell: ({ product }) => product ?? "not known" },
          { key: "country", head: "Country", cell: ({ country }) => countryWords(country ?? "none") },
          { key: "provider", head: "Provider", cell: ({ provider }) => providerWords[provider] ?? provider },
          {
            key: "paid",
            head: "Paid since",
            cell: ({ paidAt }) => (paidAt === null ? <Status tone="bad">Not yet</Status> : <When at={paidAt} />),
          },
        ]}
      />
      {count > rows.length && (
        <p className="quiet small">
          The latest {inWords.count(rows.length)} of {inWords.count(count)} are shown.
        </p>
      )}
    </div>
  );
}
