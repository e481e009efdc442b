/** Queries of `money_entries` joined with their orders. */
import type { StudioCall } from "#studio/contract/call.ts";
import type { InputOf } from "#studio/contract/call.ts";
import type { moneyCalls } from "#studio/contract/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../store/schema.ts";
import type { KindSum } from "./sums.ts";

type Call = (typeof moneyCalls)["moneyRows"] & StudioCall;
export type MoneyFilters = Pick<InputOf<Call>, "from" | "to" | "currency" | "product" | "country" | "provider">;

/** Entries that match a filter, with their order if known. */
export function entriesIn(queries: Queries, { from, to, currency, product, country, provider }: MoneyFilters) {
  let query = queries
    .selectFrom("money_entries as e")
    .leftJoin("orders as o", "o.id", "e.order_id")
    .where("e.day", ">=", from)
    .where("e.day", "<=", to);
  if (currency !== undefined) query = query.where("e.currency", "=", currency);
  if (provider !== undefined) query = query.where("e.payment_provider", "=", provider);
  if (product !== undefined) query = query.where("o.product_id", "=", product);
  if (country !== undefined) query = country === "none" ? query.where("o.country", "is", null) : query.where("o.country", "=", country);
  return query;
}

export interface Group extends KindSum {
  readonly day: string;
  readonly currency: string;
  readonly product: string | null;
  readonly country: string | null;
  readonly provider: string;
}

/** Sums by day, currency, product, country and provider. Every breakdown of a screen is a sum of these groups. */
export async function groupsIn(queries: Queries, filters: MoneyFilters): Promise<readonly Group[]> {
  const rows = await entriesIn(queries, filters)
    .select((eb) => [
      "e.day",
      "e.currency",
      "o.product_id as product",
      "o.country",
      "e.payment_provider as provider",
      "e.kind",
      // A trial begins with a payment of 0, which does not count as a payment.
      sql<number | string>`SUM(CASE WHEN e.gross > 0 THEN 1 ELSE 0 END)`.as("n"),
      eb.fn.sum("e.gross").as("gross"),
      sql<number | string>`COALESCE(SUM(e.tax), 0)`.as("tax"),
      sql<number | string>`COALESCE(SUM(e.fee), 0)`.as("fee"),
      sql<number | string>`SUM(CASE WHEN e.gross > 0 AND (e.tax IS NULL OR e.fee IS NULL) THEN 1 ELSE 0 END)`.as("untold"),
    ])
    .groupBy(["e.day", "e.currency", "o.product_id", "o.country", "e.payment_provider", "e.kind"])
    .execute();
  return rows.map((row) => ({
    ...row,
    n: Number(row.n),
    gross: Number(row.gross),
    tax: Number(row.tax),
    fee: Number(row.fee),
    untold: Number(row.untold),
  }));
}
