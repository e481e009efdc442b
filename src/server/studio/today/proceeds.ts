/** Hourly net proceeds and sales of several days, each up to the same time of day. */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { sales as saleNames } from "#studio/contract/today.ts";
import type { OutputOf } from "#studio/contract/call.ts";
import type { todayCalls } from "#studio/contract/today.ts";
import { sql } from "kysely";
import { dayMs } from "../../events/funnelDays.ts";
import { hourMs } from "../../events/funnelHours.ts";
import type { Queries } from "../../store/schema.ts";
import { partsOf } from "../money/overview.ts";
import { ratesOn } from "../money/rates.ts";

type Today = OutputOf<(typeof todayCalls)["today"]>;
export type Span = { readonly from: number; readonly to: number };

const timeOfDay = sql<number>`(e.at % ${sql.lit(dayMs)})`;

function entriesUntil(queries: Queries, spans: readonly Span[]) {
  const [today] = spans;
  return queries
    .selectFrom("money_entries as e")
    .where(
      "e.day",
      "in",
      spans.map(({ from }) => dayOf(from)),
    )
    .where(timeOfDay, "<", today === undefined ? 0 : today.to - today.from);
}

/** @param spans today, then the days it is compared with; each from midnight until the same time of day */
export async function proceedsOf(queries: Queries, spans: readonly Span[], currency: string): Promise<Today["proceeds"]> {
  const days = spans.map(({ from }) => dayOf(from));
  const [rows, rates] = await Promise.all([
    entriesUntil(queries, spans)
      .select((eb) => [
        "e.day",
        sql<number | string>`${timeOfDay} / ${sql.lit(hourMs)}`.as("hour"),
        "e.currency",
        "e.kind",
        eb.fn.countAll().as("n"),
        eb.fn.sum("e.gross").as("gross"),
        sql<number | string>`COALESCE(SUM(e.tax), 0)`.as("tax"),
        sql<number | string>`COALESCE(SUM(e.fee), 0)`.as("fee"),
      ])
      .groupBy(["e.day", "hour", "e.currency", "e.kind"])
      .orderBy("e.day")
      .orderBy("hour")
      .execute(),
    ratesOn(queries, currency, days[0] ?? ""),
  ]);
  const groups = rows.map(({ hour, n, gross, tax, fee, ...row }) => ({
    ...row,
    key: `${row.day} ${String(Number(hour)).padStart(2, "0")}`,
    n: Number(n),
    gross: Number(gross),
    tax: Number(tax),
    fee: Number(fee),
    untold: 0,
  }));
  const nets = new Map<string, number>();
  for (const { key, inBase } of partsOf(groups, (group) => group.key, currency, rates))
    nets.set(key, (nets.get(key) ?? 0) + (inBase?.net ?? 0));
  const hours = spans[0] === undefined ? 0 : Math.ceil((spans[0].to - spans[0].from) / hourMs);
  const soFar = (day: string) => {
    let sum = 0;
    return Array.from({ length: hours }, (_, hour) => (sum += nets.get(`${day} ${String(hour).padStart(2, "0")}`) ?? 0));
  };
  const [today = "", ...usual] = days;
  const ofToday = (kind: string) => groups.filter((row) => row.day === today && row.kind === kind).reduce((sum, { n }) => sum + n, 0);
  const used = [...new Set(groups.map((row) => row.currency))].filter((each) => each !== currency).toSorted();
  return {
    currency,
    ratesDay:
      used
        .flatMap((each) => rates.get(each)?.day ?? [])
        .toSorted()
        .at(-1) ?? null,
    withoutRate: used.filter((each) => !rates.has(each)),
    payments: ofToday("payment"),
    refunds: ofToday("refund"),
    now: soFar(today),
    usual: usual.map(soFar),
  };
}

/**
 * The kind of sale. The order's own payment begins a free trial or buys the plan. After a free trial, the plan's first payment of money is a conversion. All
 * later payments are renewals.
 */
const saleOf = sql<string>`CASE
  WHEN e.id = o.transaction_id THEN CASE WHEN o.trial_days > 0 AND e.gross = 0 THEN 'trials' ELSE 'bought' END
  WHEN EXISTS (SELECT 1 FROM money_entries b WHERE b.payment_provider = e.payment_provider AND b.subscription_id = e.subscription_id
    AND b.kind = 'payment' AND b.gross > 0 AND b.for_period = 1 AND b.at < e.at) THEN 'renewed'
  ELSE 'converted' END`;

export async function salesOf(queries: Queries, spans: readonly Span[]): Promise<Today["sales"]> {
  const rows = await entriesUntil(queries, spans)
    .innerJoin("orders as o", "o.id", "e.order_id")
    .select((eb) => ["e.day", saleOf.as("sale"), eb.fn.countAll().as("n")])
    .where("e.kind", "=", "payment")
    .where(({ or, and, eb, ref }) =>
      or([
        eb("e.id", "=", ref("o.transaction_id")),
        and([eb("e.for_period", "=", 1), eb("e.subscription_id", "is not", null), eb("e.gross", ">", 0)]),
      ]),
    )
    .groupBy(["e.day", "sale"])
    .execute();
  const [today = 0, ...usual] = spans.map(({ from }) => from);
  const count = (name: string, from: number) => Number(rows.find(({ day, sale }) => day === dayOf(from) && sale === name)?.n ?? 0);
  return saleNames.map((sale) => ({ sale, now: count(sale, today), usual: usual.map((from) => count(sale, from)) }));
}
