/** Sums by group, in their own currency and the reporting currency. Choosing a row opens its payments. */
import { minorUnitsOf } from "#core/formats.ts";
import type { Output } from "../client.ts";
import { type breakdowns, moneyWords, type Sums } from "../contract/money.ts";
import { inWords } from "../parts/formats.ts";
import { Money } from "../parts/Formats.tsx";
import { Definition } from "../parts/Signs.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import styles from "./money.module.css";
import { breakdownWords, keyWords } from "./words.ts";

type Found = Output<"money">;
export type Group = Found["groups"][number];
export const groupKey = ({ key, currency }: Pick<Group, "key" | "currency">): string => `${currency} ${key}`;

function plain(minor: number, currency: string): string {
  const unit = minorUnitsOf(currency);
  return inWords.number(minor / unit, Math.round(Math.log10(unit)));
}
/** Negates an amount without making "-0". */
const negated = (minor: number) => (minor === 0 ? 0 : -minor);

const head = (words: string, definition: string) => (
  <span className={styles["head"]}>
    {words}
    <Definition of={words}>{definition}</Definition>
  </span>
);

export function Groups({
  found,
  by,
  chosen,
  onOpen,
}: {
  readonly found: Found;
  readonly by: (typeof breakdowns)[number];
  readonly chosen: string | null;
  readonly onOpen: (group: Group) => void;
}) {
  const { base, total, groups } = found;
  // The row shows its currency once, so its amounts have no symbol.
  const amount = (pick: (sums: Sums) => number) => (group: Group) => plain(pick(group.sums), group.currency);
  const inBase = (minor: number) => <Money minor={minor} currency={base} />;
  const sum = (key: string, words: string, definition: string, pick: (sums: Sums) => number, quiet = true): Column<Group> => ({
    key,
    head: head(words, definition),
    end: true,
    cell: (group) => <span className={quiet ? "quiet" : ""}>{amount(pick)(group)}</span>,
    foot: plain(pick(total), base),
  });
  const columns: readonly Column<Group>[] = [
    {
      key: "key",
      head: breakdownWords[by],
      cell: ({ key, currency }) => (
        <span className="strong">
          {keyWords(by, key)}
          {by !== "currency" && <span className="quiet small"> {currency}</span>}
        </span>
      ),
      by: ({ key }) => key,
      foot: `All, in ${base}`,
    },
    {
      key: "payments",
      head: "Payments",
      end: true,
      cell: ({ sums }) => inWords.count(sums.payments),
      by: ({ sums }) => sums.payments,
      foot: inWords.count(total.payments),
    },
    sum("gross", "Gross", moneyWords.gross, ({ gross }) => gross, false),
    sum("tax", "Tax", moneyWords.tax, ({ tax }) => negated(tax)),
    sum("fees", "Fees", moneyWords.fees, ({ fees }) => negated(fees)),
    sum("refunds", "Refunds", moneyWords.refunds, ({ refunds }) => negated(refunds)),
    ...(groups.some(({ sums }) => sums.chargebacks !== 0)
      ? [sum("chargebacks", "Chargebacks", moneyWords.chargebacks, ({ chargebacks }) => negated(chargebacks))]
      : []),
    { ...sum("net", "Net, own", moneyWords.net, ({ net }) => net, false), foot: "" },
    {
      key: "rate",
      head: `1 ${base} =`,
      end: true,
      cell: ({ rate, currency }) => (
        <span className="quiet" title={rate === null || currency === base ? "" : `${rate.source}, ${rate.day}`}>
          {rate?.rate ?? "no rate"}
        </span>
      ),
    },
    {
      key: "base",
      head: `Net, ${base}`,
      end: true,
      cell: (group) => <span className="strong">{group.inBase === null ? "–" : inBase(group.inBase.net)}</span>,
      by: (group) => group.inBase?.net ?? null,
      foot: inBase(total.net),
    },
  ];
  return (
    <div className={styles["scrolls"]}>
      <Table label={`Money by ${by}`} dense keys rows={groups} keyOf={groupKey} columns={columns} chosen={chosen} onChoose={onOpen} />
    </div>
  );
}
