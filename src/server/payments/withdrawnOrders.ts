/** Limits how often one account buys and withdraws: each time the provider keeps its fee. */
import type { Queries } from "../store/schema.ts";
import { withdrawnByBuyer } from "./duties.ts";

const most = 3;
const withinMs = 30 * 86_400_000;

/** The right to withdraw stays whole. Whoever has used it this often gets no further checkout for a while. */
export async function hasWithdrawnOften(queries: Queries, accountUuid: string, now: number): Promise<boolean> {
  const withdrawn = await queries
    .selectFrom("orders")
    .innerJoin("payment_duties", "payment_duties.order_id", "orders.id")
    .select("orders.id")
    .distinct()
    .where("orders.account_uuid", "=", accountUuid)
    .where("payment_duties.kind", "=", "refund")
    .where("payment_duties.reason", "=", withdrawnByBuyer)
    .where("payment_duties.created_at", ">", now - withinMs)
    .limit(most)
    .execute();
  return withdrawn.length === most;
}
