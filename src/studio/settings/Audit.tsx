/** The audit of operators' actions. Its filters are search parameters. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, type Input, type Output, StudioError, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { CsvButton } from "../parts/Csv.tsx";
import { TextField } from "../parts/Field.tsx";
import { DaysFilter, Filter } from "../parts/Filter.tsx";
import { When } from "../parts/Formats.tsx";
import { Section } from "../parts/Panel.tsx";
import { Notice } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import { ToPerson } from "../parts/ToPerson.tsx";
import { changeInWords } from "./changes.ts";
import styles from "./settings.module.css";

type Row = Output<"audit">["rows"][number];
type Filters = Omit<Input<"audit">, "after" | "limit">;

const inOnePage = 1_000;

/** All rows that match the filters, page by page. */
async function everyRow(filters: Filters): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page: Output<"audit"> = await call("audit", { ...filters, limit: String(inOnePage), ...(after === undefined ? {} : { after }) });
    rows.push(...page.rows);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return rows;
}

export function Audit() {
  const search = useSearch({ from: "/settings" });
  const navigate = useNavigate();
  const { part: _part, ...all } = search;
  const filters: Filters = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const audit = useCall("audit", filters);
  const operators = useCall("operators", {});
  const set = (change: Filters) => void navigate({ to: "/settings", search: { ...search, ...change, part: "audit" }, replace: true });
  const none = () => void navigate({ to: "/settings", search: { part: "audit" } });

  return (
    <Section
      title="What operators did"
      says="the latest first"
      actions={
        <CsvButton
          small
          name="what-operators-did"
          rows={async () => [
            ["at", "operator", "action", "subject", "before", "after", "reason"],
            ...(await everyRow(filters)).map((row) => [
              new Date(row.at).toISOString(),
              row.operator,
              row.action,
              row.subject,
              changeInWords(row.before),
              changeInWords(row.after),
              row.reason,
            ]),
          ]}
        />
      }
    >
      <div className={styles["filters"]}>
        <Filter
          label="Operator"
          single
          options={[
            ...(operators.data ?? []).map(({ name }) => ({ value: name, words: name })),
            { value: "Command line", words: "Command line" },
          ]}
          chosen={search.operator === undefined ? [] : [search.operator]}
          onChange={([operator]) => set({ operator })}
        />
        <Filter
          label="Action"
          single
          options={(audit.data?.actions ?? []).map((action) => ({ value: action, words: action }))}
          chosen={search.action === undefined ? [] : [search.action]}
          onChange={([action]) => set({ action })}
        />
        <DaysFilter label="Days" from={search.from} to={search.to} onChange={set} />
        <TextField
          label="Done to"
          labelHidden
          placeholder="Done to…"
          type="search"
          defaultValue={search.subject ?? ""}
          onChange={({ target }) => set({ subject: target.value === "" ? undefined : target.value })}
        />
      </div>
      <Shown of={audit}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty title="No actions match these filters" actions={<Button onClick={none}>Clear filters</Button>} />
          ) : (
            <Rows key={JSON.stringify(filters)} filters={filters} rows={rows} next={next} />
          )
        }
      </Shown>
    </Section>
  );
}

function Rows({ filters, rows, next }: { readonly filters: Filters; readonly rows: readonly Row[]; readonly next: string | null }) {
  const [older, setOlder] = useState<{ readonly rows: readonly Row[]; readonly next: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const after = older === null ? next : older.next;
  const more = async () => {
    try {
      const page = await call("audit", { ...filters, after: after ?? undefined });
      setOlder({ rows: [...(older?.rows ?? []), ...page.rows], next: page.next });
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof StudioError ? error.message : "The next rows could not be loaded.");
    }
  };
  return (
    <>
      <Table
        label="What operators did"
        dense
        keys
        rows={[...rows, ...(older?.rows ?? [])]}
        keyOf={({ id }) => id}
        columns={[
          { key: "at", head: "When", cell: ({ at }) => <When at={at} /> },
          { key: "operator", head: "Who", cell: ({ operator }) => <span className="strong">{operator}</span> },
          { key: "action", head: "Did", cell: ({ action }) => action },
          { key: "subject", head: "To", cell: ({ subject, person }) => <ToPerson person={person}>{subject}</ToPerson> },
          { key: "before", head: "Before", cell: ({ before }) => <span className="small quiet">{changeInWords(before)}</span> },
          { key: "after", head: "After", cell: ({ after: then }) => <span className="small">{changeInWords(then)}</span> },
          { key: "reason", head: "Why", cell: ({ reason }) => <span className="small">{reason}</span> },
        ]}
      />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {after !== null && <Button onClick={() => void more()}>Show older</Button>}
    </>
  );
}
