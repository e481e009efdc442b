/** Today's visitors by funnel stage, compared with a usual day up to this hour. */
import { Link } from "@tanstack/react-router";
import type { Output } from "../client.ts";
import { numbers } from "../contract/numbers.ts";
import { classes } from "../parts/classes.ts";
import { inWords } from "../parts/formats.ts";
import { Section } from "../parts/Panel.tsx";
import { Definition, Tag } from "../parts/Signs.tsx";
import { Table } from "../parts/Table.tsx";
import styles from "./today.module.css";
import { type Usual, usualOf, verdictOf } from "./usual.ts";

type Stage = Output<"today">["funnel"][number];
interface Row extends Stage {
  readonly range: Usual | null;
}

const names: Readonly<Record<Stage["stage"], readonly [name: string, says: string]>> = {
  visitors: ["Came", "Opened a question"],
  began: ["Started", "First question answered"],
  level: ["Level found", "Saw their level"],
  signedUp: ["Signed up", "Has an account"],
  offers: ["Offers seen", "Saw the prices"],
  checkout: ["Checkout opened", "Saw the payment form"],
  purchases: ["Trial or purchase", "Paid, or a card is kept"],
};

export function FunnelToday({ funnel, countedAt }: Pick<Output<"today">, "funnel" | "countedAt">) {
  const rows = funnel.map((stage) => ({ ...stage, range: usualOf(stage.usual) }));
  const full = Math.max(1, ...rows.flatMap(({ now, range }) => [now, range?.high ?? 0]));
  return (
    <Section
      title="Funnel today"
      says={`visitors who started today, all versions, until ${inWords.time(countedAt)} UTC`}
      actions={
        <Link to="/funnel" className="link strong">
          Open funnel
        </Link>
      }
    >
      <Table<Row>
        label="Funnel today"
        dense
        rows={rows}
        keyOf={({ stage }) => stage}
        columns={[
          { key: "reached", head: "Reached", cell: ({ stage }) => <Reached stage={stage} /> },
          {
            key: "bar",
            head: <span className={styles["legend"]}>Bar: today · grey: usual range · mark: usual</span>,
            cell: (row) => <Bar row={row} full={full} />,
            wideOnly: true,
          },
          {
            key: "today",
            head: "Today",
            end: true,
            cell: (row) => <b className={isLow(row) ? styles["lowCount"] : undefined}>{inWords.count(row.now)}</b>,
          },
          { key: "usual", head: "Usual", end: true, cell: ({ range }) => (range === null ? "–" : medianInWords(range)) },
          {
            key: "range",
            head: "Range",
            end: true,
            wideOnly: true,
            cell: ({ range }) => (range === null ? "–" : <span className={styles["whole"]}>{rangeInWords(range)}</span>),
          },
          { key: "verdict", head: "Verdict", cell: (row) => <Judged row={row} /> },
        ]}
      />
    </Section>
  );
}

/** The median, with one decimal unless it is whole. A rounded median would not fit the difference that is shown beside it. */
export const medianInWords = ({ median }: Usual) => inWords.number(median, Number.isInteger(median) ? 0 : 1);
const rangeInWords = ({ low, high }: Usual) => `${inWords.count(Math.floor(low))}–${inWords.count(Math.ceil(high))}`;
const isLow = ({ now, range }: Row) => range !== null && verdictOf(now, range) === "below";

function Reached({ stage }: Pick<Row, "stage">) {
  const [name, says] = names[stage];
  return (
    <>
      <span className="row">
        <span className="strong">{name}</span>
        {stage in definitions && <Definition of={name}>{definitions[stage] ?? ""}</Definition>}
      </span>
      <span className="quiet tiny">{says}</span>
    </>
  );
}

const definitions: Partial<Record<Stage["stage"], string>> = {
  visitors: numbers.visitors,
  began: numbers.began,
  purchases: numbers.purchases,
};

function Bar({ row: { now, range }, full }: { readonly row: Row; readonly full: number }) {
  const at = (count: number) => `${(100 * count) / full}%`;
  const low = range !== null && verdictOf(now, range) === "below";
  return (
    <div className={styles["stage"]} aria-hidden="true">
      {range !== null && (
        <span className={styles["band"]} style={{ insetInlineStart: at(range.low), width: `max(4px, ${at(range.high - range.low)})` }} />
      )}
      <span className={classes(styles["count"], low && styles["low"])} style={{ width: at(now) }} />
      {range !== null && <span className={styles["mark"]} style={{ insetInlineStart: at(range.median) }} />}
    </div>
  );
}

function Judged({ row: { now, range } }: { readonly row: Row }) {
  if (range === null) return <span className="quiet">nothing to compare with yet</span>;
  const verdict = verdictOf(now, range);
  const off = range.median === 0 ? "" : `, ${inWords.difference((now - range.median) / range.median)}`;
  if (verdict === "usual") return <span className="quiet">usual{off}</span>;
  return <Tag tone={verdict === "below" ? "bad" : "good"}>{`${verdict} usual${off}`}</Tag>;
}
