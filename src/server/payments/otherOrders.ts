/** What a purchase does to the account's other orders, so that nobody pays for two plans. */
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { addDuty, beginDuty, withdrawnByBuyer } from "./duties.ts";
import { entitlementNow, entitlementStatusOf, isUsable, withEarlyEnd } from "./entitlement.ts";
import type { Fact } from "./provider.ts";
import { subscriptionOf } from "./storedSubscription.ts";

type OtherOrder = Awaited<ReturnType<typeof othersOf>>[number];

/** Adds the duties to refund a payment and end its subscription, because the order was paid already or its buyer has a plan. */
export async function refundAndEnd(
  queries: Queries,
  { provider, world }: LedgerParts,
  facts: readonly Fact[],
  orderId: string,
  reason: string,
): Promise<void> {
  for (const fact of facts) {
    const duty = { provider: provider.name, orderId, reason, now: world.now() };
    if (fact.kind === "transaction" && fact.status === "completed") {
      if (fact.total > 0) await addDuty(queries, { ...duty, kind: "refund", subject: fact.id });
      if (fact.subscriptionId !== null) await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: fact.subscriptionId });
    }
    if (fact.kind === "subscription" && fact.status !== "canceled")
      await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: fact.id });
  }
}

/**
 * Refunds what a subscription was charged after it was to end at once: the provider did not answer, or refused, until then. What was charged before may be
 * reported later, and is kept, unless its buyer withdrew: a withdrawal refunds all payments, and could not refund those that were not reported yet.
 */
export async function refundLateCharge(
  queries: Queries,
  { provider, world }: LedgerParts,
  { id: orderId }: { readonly id: string },
  fact: Fact,
): Promise<void> {
  if (fact.kind !== "transaction" || fact.status !== "completed" || fact.total <= 0) return;
  if (fact.subscriptionId === null || fact.billedAt === null) return;
  const ending = await queries
    .selectFrom("payment_duties")
    .select("reason")
    .where("payment_provider", "=", provider.name)
    .where("kind", "=", "cancel-subscription")
    .where("subject", "=", fact.subscriptionId)
    .where(({ eb, or }) => or([eb("created_at", "<", fact.billedAt), eb("reason", "=", withdrawnByBuyer)]))
    .executeTakeFirst();
  if (ending === undefined) return;
  await addDuty(queries, { provider: provider.name, kind: "refund", subject: fact.id, orderId, reason: ending.reason, now: world.now() });
}

/** The account's other orders with their entitlements. */
export async function othersOf(queries: Queries, order: { readonly id: string; readonly account_uuid: string }) {
  return queries
    .selectFrom("entitlements")
    .innerJoin("orders", "orders.id", "entitlements.order_id")
    .leftJoin("contract_ends", "contract_ends.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.product_type",
      "orders.payment_provider",
      "orders.subscription_id",
      "entitlements.status",
      "entitlements.ends_at",
      "contract_ends.ends_at as early",
    ])
    .where("entitlements.account_uuid", "=", order.account_uuid)
    .where("entitlements.order_id", "!=", order.id)
    .execute();
}

/**
 * After a purchase: ends the account's open orders and its other subscriptions, so that they are not charged. Paused plans have a subscription too, and
 * so have plans whose payment was refunded without ending them. A mailed link that keeps an earlier plan would keep the new one.
 */
export async function supersede(
  queries: Queries,
  { world }: LedgerParts,
  order: { readonly id: string; readonly account_uuid: string },
  others: readonly OtherOrder[],
): Promise<void> {
  const now = world.now();
  await queries.deleteFrom("link_tokens").where("account_uuid", "=", order.account_uuid).where("purpose", "=", "keep").execute();
  const open = await queries
    .updateTable("orders")
    .set({ status: "cancelled", updated_at: now })
    .where("account_uuid", "=", order.account_uuid)
    .where("status", "=", "pending")
    .where("id", "!=", order.id)
    .returning(["id", "transaction_id", "hosted_url", "checked_at", "payment_provider"])
    .execute();
  for (const superseded of open) await lookForLostCheckout(queries, superseded, `superseded by order ${order.id}`, now);
  for (const { id, transaction_id: subject, payment_provider: name } of open)
    if (subject !== null)
      await addDuty(queries, {
        provider: name,
        kind: "cancel-checkout",
        subject,
        orderId: id,
        reason: `superseded by order ${order.id}`,
        now,
      });
  for (const { id, subscription_id: subject, payment_provider: name } of others)
    if (subject !== null && (await subscriptionOf(queries, name, subject))?.status !== "canceled")
      await addDuty(queries, {
        provider: name,
        kind: "cancel-subscription",
        subject,
        orderId: id,
        reason: `replaced by order ${order.id}`,
        now,
      });
}

/**
 * For an order that ends while its checkout is being created: adds the duty to look for that checkout, because the process that creates it may die.
 */
export async function lookForLostCheckout(
  queries: Queries,
  order: Pick<OrdersTable, "id" | "transaction_id" | "hosted_url" | "checked_at" | "payment_provider">,
  reason: string,
  now: number,
): Promise<void> {
  const { id, payment_provider: provider } = order;
  const isMaking = order.checked_at !== null && order.transaction_id === null && order.hosted_url === null;
  if (!isMaking) return;
  await beginDuty(queries, { provider, kind: "cancel-lost-checkout", subject: id, orderId: id, reason, now });
}

/** Whether the account has a usable plan from another order. */
export const hasUsable = (others: readonly OtherOrder[], now: number) =>
  others.some(({ status, ends_at: end, early, product_type: type }) => {
    const word = entitlementStatusOf(status);
    return word !== null && isUsable(entitlementNow({ status: word, end: withEarlyEnd(end, early) }, type, now));
  });
