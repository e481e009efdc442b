import * as v from "valibot";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { type Fact, storedFactSchema } from "./provider.ts";

/** All facts of an order and its subscription. */
export async function factsOfOrder(
  queries: Queries,
  order: Pick<OrdersTable, "payment_provider" | "transaction_id" | "subscription_id">,
): Promise<readonly Fact[]> {
  const rows = await queries
    .selectFrom("provider_facts")
    .select("fact")
    .where("payment_provider", "=", order.payment_provider)
    .where(({ or, eb }) => or([eb("transaction_id", "=", order.transaction_id), eb("subscription_id", "=", order.subscription_id)]))
    .execute();
  return rows.map(({ fact }) => v.parse(storedFactSchema, fact));
}
