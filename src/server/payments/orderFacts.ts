import * as v from "valibot";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { type AdjustmentFact, type Fact, storedFactSchema, type TransactionFact } from "./provider.ts";

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

export interface OrderPayments {
  readonly payments: readonly TransactionFact[];
  readonly adjustments: readonly AdjustmentFact[];
}

/** The completed payments of an order and its subscription, and what was taken back of them. */
export async function paymentsOf(queries: Queries, order: Parameters<typeof factsOfOrder>[1]): Promise<OrderPayments> {
  const facts = await factsOfOrder(queries, order);
  return {
    payments: facts.filter((fact) => fact.kind === "transaction").filter(({ status }) => status === "completed"),
    adjustments: facts.filter((fact) => fact.kind === "adjustment"),
  };
}

/** The payments for a term, oldest first. */
export const termsOf = (payments: readonly TransactionFact[]): readonly TransactionFact[] =>
  payments.filter(({ total, forPeriod }) => total > 0 && forPeriod).toSorted((a, b) => (a.billedAt ?? 0) - (b.billedAt ?? 0));
