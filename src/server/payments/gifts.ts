/** Days that an operator gives: a fact of the ledger like any other, told by us. */
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { GiftFact } from "./provider.ts";

/** Within the caller's write, which settles the order then; false when it was given already. */
export async function addGift(
  queries: Queries,
  order: Pick<OrdersTable, "payment_provider" | "transaction_id" | "subscription_id">,
  { id, days }: { readonly id: string; readonly days: number },
  now: number,
): Promise<boolean> {
  if (order.transaction_id === null) return false;
  const fact: GiftFact = {
    kind: "gift",
    id: `gift-${id}`,
    transactionId: order.transaction_id,
    subscriptionId: order.subscription_id,
    days,
    at: now,
  };
  const added = await queries
    .insertInto("provider_facts")
    .values({
      payment_provider: order.payment_provider,
      id: fact.id,
      version: "1",
      fact: JSON.stringify(fact),
      transaction_id: fact.transactionId,
      subscription_id: fact.subscriptionId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
