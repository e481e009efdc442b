/** Counts of trials, renewals, failed charges, cancellations and refunds. `moneyWords` defines each. */
import { dayOf } from "#core/questionnaire/calendar.ts";
import type { Counts } from "#studio/contract/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../store/schema.ts";
import { entriesIn, type MoneyFilters } from "./ledger.ts";

const dayMs = 86_400_000;
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
type Counted = { readonly due: number; readonly paid: number };
const counted = (row: { readonly due: unknown; readonly paid: unknown } | undefined): Counted => ({
  due: Number(row?.due ?? 0),
  paid: Number(row?.paid ?? 0),
});

/** The filters without the days, for rows with a date of their own. */
const anyDay = (filters: MoneyFilters): MoneyFilters => ({ ...filters, from: "0000-01-01", to: "9999-12-31" });

/** Whether a later payment of the same plan exists. */
const followed = sql`EXISTS (SELECT 1 FROM money_entries n WHERE n.payment_provider = e.payment_provider
  AND n.subscription_id = e.subscription_id AND n.kind = 'payment' AND n.gross > 0 AND n.for_period = 1 AND n.at > e.at)`;

async function periodsEnded(queries: Queries, filters: MoneyFilters, now: number, of: "trials" | "renewals"): Promise<Counted> {
  const isTrial = sql<boolean>`(e.id = o.transaction_id AND o.trial_days > 0 AND e.gross = 0)`;
  const row = await entriesIn(queries, anyDay(filters))
    .select([sql<unknown>`COUNT(*)`.as("due"), sql<unknown>`SUM(CASE WHEN ${followed} THEN 1 ELSE 0 END)`.as("paid")])
    .where("e.kind", "=", "payment")
    .where("e.subscription_id", "is not", null)
    .where("e.for_period", "=", 1)
    .where("e.period_end", ">=", startOf(filters.from))
    .where("e.period_end", "<", Math.min(startOf(filters.to) + dayMs, now))
    .where(of === "trials" ? isTrial : sql<boolean>`e.gross > 0`)
    .executeTakeFirst();
  return counted(row);
}

function momentsIn(queries: Queries, filters: MoneyFilters, kind: "failed" | "cancelled") {
  let query = queries
    .selectFrom("plan_moments as m")
    .leftJoin("orders as o", (join) =>
      join.onRef("o.subscription_id", "=", "m.subscription_id").onRef("o.payment_provider", "=", "m.payment_provider"),
    )
    .where("m.kind", "=", kind)
    .where("m.at", ">=", startOf(filters.from))
    .where("m.at", "<", startOf(filters.to) + dayMs);
  if (filters.currency !== undefined) query = query.where("o.currency", "=", filters.currency);
  if (filters.product !== undefined) query = query.where("o.product_id", "=", filters.product);
  if (filters.provider !== undefined) query = query.where("m.payment_provider", "=", filters.provider);
  if (filters.country !== undefined)
    query = filters.country === "none" ? query.where("o.country", "is", null) : query.where("o.country", "=", filters.country);
  return query;
}

export interface FailedCharge {
  readonly provider: string;
  readonly subscriptionId: string;
  readonly at: number;
  readonly product: string | null;
  readonly country: string | null;
  readonly account: string | null;
  readonly paidAt: number | null;
}

/** Failed charges, the latest first. Several failures before one payment count once, at the first failure. */
export async function failedCharges(queries: Queries, filters: MoneyFilters): Promise<readonly FailedCharge[]> {
  const rows = await momentsIn(queries, filters, "failed")
    .select([
      "m.payment_provider",
      "m.subscription_id",
      "m.at",
      "o.product_id",
      "o.country",
      "o.account_uuid",
      sql<unknown>`(SELECT MIN(n.at) FROM money_entries n WHERE n.payment_provider = m.payment_provider
        AND n.subscription_id = m.subscription_id AND n.kind = 'payment' AND n.gross > 0 AND n.at >= m.at)`.as("paid_at"),
    ])
    .orderBy("m.at", "desc")
    .orderBy("m.subscription_id")
    .execute();
  const failures = new Map(
    rows.map((row): [string, FailedCharge] => [
      `${row.payment_provider} ${row.subscription_id} ${String(row.paid_at)}`,
      {
        provider: row.payment_provider,
        subscriptionId: row.subscription_id,
        at: Number(row.at),
        product: row.product_id,
        country: row.country,
        account: row.account_uuid,
        paidAt: row.paid_at === null ? null : Number(row.paid_at),
      },
    ]),
  );
  return [...failures.values()].toSorted((a, b) => b.at - a.at);
}

async function refunded(queries: Queries, filters: MoneyFilters): Promise<Counted> {
  const wentBack = sql`EXISTS (SELECT 1 FROM money_entries b WHERE b.payment_provider = e.payment_provider
    AND b.transaction_id = e.id AND b.kind = 'refund')`;
  const row = await entriesIn(queries, filters)
    .select([sql<unknown>`COUNT(*)`.as("due"), sql<unknown>`SUM(CASE WHEN ${wentBack} THEN 1 ELSE 0 END)`.as("paid")])
    .where("e.kind", "=", "payment")
    .where("e.gross", ">", 0)
    .executeTakeFirst();
  return counted(row);
}

export async function countsIn(queries: Queries, filters: MoneyFilters, now: number): Promise<Counts> {
  const [trials, renewals, failures, cancelled, back] = await Promise.all([
    periodsEnded(queries, filters, now, "trials"),
    periodsEnded(queries, filters, now, "renewals"),
    failedCharges(queries, filters),
    momentsIn(queries, filters, "cancelled")
      .select(sql<unknown>`COUNT(DISTINCT m.subscription_id)`.as("n"))
      .executeTakeFirst(),
    refunded(queries, filters),
  ]);
  const failed = { due: failures.length, paid: failures.filter(({ paidAt }) => paidAt !== null).length };
  return { trials, renewals, failed, cancelled: Number(cancelled?.n ?? 0), refunded: back };
}

export interface CohortRow {
  readonly month: string;
  readonly plans: number;
  readonly cells: readonly ({ readonly of: number; readonly kept: number } | null)[];
}

/** The same day some months later, or the last day of that month. */
function monthsAfter(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** A renewal that is at most this late still counts for its period. */
const graceMs = 7 * dayMs;

/** Cohorts by month of the first payment: how many plans had a paid period each number of months later. */
export async function cohortsOf(queries: Queries, now: number, months: number): Promise<readonly CohortRow[]> {
  const first = `${dayOf(monthsAfter(now, 1 - months)).slice(0, 7)}-01`;
  const rows = await queries
    .selectFrom("money_entries as e")
    .select(["e.payment_provider", "e.subscription_id", "e.at", "e.period_end"])
    .where("e.kind", "=", "payment")
    .where("e.gross", ">", 0)
    .where("e.for_period", "=", 1)
    .where("e.subscription_id", "is not", null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM money_entries b WHERE b.subscription_id = e.subscription_id AND b.kind = 'payment'
        AND b.gross > 0 AND b.day < ${first})`,
    )
    .orderBy("e.at")
    .execute();
  const plans = Map.groupBy(rows, (row) => `${row.payment_provider} ${row.subscription_id}`);
  const cohorts = new Map<string, { plans: number; cells: { of: number; kept: number }[] }>();
  for (const payments of plans.values()) {
    const begin = Number(payments[0]?.at ?? 0);
    const month = dayOf(begin).slice(0, 7);
    const cohort = cohorts.get(month) ?? { plans: 0, cells: [] };
    cohorts.set(month, cohort);
    cohort.plans += 1;
    for (let since = 0; since < months; since++) {
      const then = monthsAfter(begin, since);
      if (then > now) break;
      const cell = (cohort.cells[since] ??= { of: 0, kept: 0 });
      cell.of += 1;
      const isCovered = payments.some(({ at, period_end: end }) => {
        const until = end === null ? monthsAfter(Number(at), 1) : Number(end);
        return Number(at) <= then + graceMs && then < until;
      });
      if (isCovered) cell.kept += 1;
    }
  }
  return [...cohorts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, { plans: count, cells }]) => ({
      month,
      plans: count,
      cells: Array.from({ length: months }, (_, since) => cells[since] ?? null),
    }));
}
