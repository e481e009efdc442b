import * as v from "valibot";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { type Fact, storedFactSchema } from "./provider.ts";

/** All facts of an order and its subscription. */
export async function factsOfOrder(
  queries: Queries,
  order: Pick<OrdersTable, "payment_provider" | "transaction_id" | "subscription_id">,
): Promise<readonly Fact[]> {
  const ofProvider = queries.selectFrom("provider_facts").select(["id", "fact"]).where("payment_provider", "=", order.payment_provider);
  // Two queries in one, each by its index: for `or` and for `union`, which sorts, SQLite reads all facts of the provider.
  const rows = await ofProvider
    .where("transaction_id", "=", order.transaction_id)
    .unionAll(ofProvider.where("subscription_id", "=", order.subscription_id))
    .execute();
  const facts = new Map(rows.map(({ id, fact }) => [id, fact]));
  return [...facts.values()].map((fact) => v.parse(storedFactSchema, fact));
}
