/** Errors in visitors' browsers, grouped by cause. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Output, useCall } from "../client.ts";
import { Button } from "../parts/Button.tsx";
import { CsvButton } from "../parts/Csv.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { inWords } from "../parts/formats.ts";
import { When } from "../parts/Formats.tsx";
import { Facts, Section } from "../parts/Panel.tsx";
import { Segmented } from "../parts/Segmented.tsx";
import { Tag } from "../parts/Signs.tsx";
import { Empty, Shown } from "../parts/State.tsx";
import { Table } from "../parts/Table.tsx";
import styles from "./operations.module.css";

type Cause = Output<"clientErrors">[number];
const spans = ["1", "7", "30"] as const;
const shown = ["all", "new"] as const;
const shownWords = { all: "All", new: "Only new" } as const;
/** An error counts as new for this time after its first report, ms. */
const newFor = 24 * 60 * 60_000;
const spanWords = { "1": "Today", "7": "7 days", "30": "30 days" } as const;

export function Errors({
  chosen,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly onChoose: (cause: string | undefined) => void;
}) {
  const [days, setDays] = useState<(typeof spans)[number]>("7");
  const errors = useCall("clientErrors", { days }, { every: 60_000 });
  const [shows, setShows] = useState<(typeof shown)[number]>("all");
  const isNew = ({ firstAt }: Cause) => errors.dataUpdatedAt - firstAt < newFor;
  const open = errors.data?.find(({ cause }) => cause === chosen);
  return (
    <Section
      anchor="errors"
      title="Errors in visitors’ browsers"
      says="by cause"
      actions={
        <>
          <Segmented label="Which" value={shows} options={shown.map((each) => [each, shownWords[each]])} onChange={setShows} />
          <Segmented label="Days" value={days} options={spans.map((each) => [each, spanWords[each]])} onChange={setDays} />
          <ErrorsCsv causes={errors.data ?? []} />
        </>
      }
    >
      <Shown of={errors}>
        {(all) => {
          const rows = shows === "new" ? all.filter(isNew) : all;
          return rows.length === 0 ? (
            <Empty title={all.length === 0 ? "No page has reported an error" : "No new errors in the last 24 hours"} />
          ) : (
            <CausesTable causes={rows} isNew={isNew} chosen={chosen} onChoose={onChoose} />
          );
        }}
      </Shown>
      {open !== undefined && <CauseDialog cause={open} onClose={() => onChoose(undefined)} />}
    </Section>
  );
}

function ErrorsCsv({ causes }: { readonly causes: readonly Cause[] }) {
  return (
    <CsvButton
      small
      name="page-errors"
      rows={() => [
        ["message", "place", "count", "first", "last", "versions", "browsers", "questionnaires", "pages"],
        ...causes.map((row) => [
          row.message,
          row.place,
          row.count,
          new Date(row.firstAt).toISOString(),
          new Date(row.lastAt).toISOString(),
          row.versions.join(" "),
          row.browsers.join(", "),
          row.questionnaires.join(" "),
          row.routes.join(" "),
        ]),
      ]}
    />
  );
}

function CausesTable({
  causes,
  isNew,
  chosen,
  onChoose,
}: {
  readonly causes: readonly Cause[];
  readonly isNew: (cause: Cause) => boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (cause: string) => void;
}) {
  return (
    <div className={styles["scrolls"]}>
      <Table
        label="Errors in visitors’ browsers"
        dense
        keys
        rows={causes}
        keyOf={({ cause }) => cause}
        chosen={chosen ?? null}
        onChoose={({ cause }) => onChoose(cause)}
        columns={[
          {
            key: "message",
            head: "Error",
            cell: (row) => (
              <>
                <span className="code strong">{row.message}</span> {isNew(row) && <Tag tone="care">new</Tag>}
                <p className="tiny quiet">{[row.place, row.browsers.slice(0, 2).join(", ")].filter((text) => text !== "").join(" · ")}</p>
              </>
            ),
          },
          { key: "count", head: "Times", end: true, cell: ({ count }) => inWords.count(count), by: ({ count }) => count },
          { key: "version", head: "Version", wideOnly: true, cell: ({ questionnaires }) => questionnaires.slice(0, 3).join(", ") },
          { key: "first", head: "First", wideOnly: true, cell: ({ firstAt }) => <When at={firstAt} />, by: ({ firstAt }) => firstAt },
          { key: "last", head: "Last", cell: ({ lastAt }) => <When at={lastAt} />, by: ({ lastAt }) => lastAt },
        ]}
      />
    </div>
  );
}

function CauseDialog({ cause, onClose }: { readonly cause: Cause; readonly onClose: () => void }) {
  return (
    <Dialog title={cause.message} wide onClose={onClose}>
      <Facts
        rows={[
          ["Times", inWords.count(cause.count)],
          ["First", <When key="First" at={cause.firstAt} />],
          ["Last", <When key="Last" at={cause.lastAt} />],
          ["Questionnaires", cause.questionnaires.join(", ") || "–"],
          ["Pages", cause.routes.join(", ") || "–"],
          ["Builds", cause.versions.join(", ")],
          ["Browsers", cause.browsers.join(", ")],
        ]}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles["content"]} tabIndex={0} aria-label="Stack trace of the last report">
        {cause.stack === "" ? "The report has no stack trace." : cause.stack}
      </pre>
      <div className="row">
        {cause.visit !== null && (
          <Link className="link" to="/funnel/visits" search={cause.visit}>
            Watch the latest visit with it
          </Link>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
