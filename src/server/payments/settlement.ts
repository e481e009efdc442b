/** Settles an order: recomputes it and its entitlement from its facts, and mails its owner the changes. */
import { sql } from "kysely";
import * as v from "valibot";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { type LedgerParts, lockAccountOf } from "./ledgerParts.ts";
import { canBeKept, isBeingCancelled, isBeingEnded, takeConfirmation } from "./duties.ts";
import { entitlementNow, type OrderOutcome, type OrderTerms, outcomeOf } from "./entitlement.ts";
import { noteMismatches } from "./mismatches.ts";
import { refundAndEnd, refundLateCharge, hasUsable, othersOf, supersede } from "./otherOrders.ts";
import { sendReceipt, tellOwner } from "./planMails.ts";
import { type Change, newsOf, type PlanNews } from "./planNews.ts";
import { factsOfOrder } from "./orderFacts.ts";
import { type Fact, storedFactSchema } from "./provider.ts";
import { verdictsOn } from "./verdicts.ts";

const secondPayment = "a second payment of an account that has a plan";
const erasedBuyer = "a payment of an account that was erased before";

type PaidOrder = OrdersTable & { readonly transaction_id: string };

/** An order whose facts have been read. */
interface Settling {
  readonly order: PaidOrder;
  /** Whether it has an entitlement. */
  readonly isGranted: boolean;
  readonly facts: readonly Fact[];
  readonly subscriptionId: string | null;
  readonly change: Change | null;
  /** The news for the order's owner; null when there is none. */
  readonly told: PlanNews | null;
}

/** Returns whether a mail was queued. */
export async function settle(
  queries: Queries,
  parts: LedgerParts,
  orderId: string,
  change: Change | null,
  changes: readonly Change[] = [],
): Promise<boolean> {
  const { provider, world, log } = parts;
  const now = world.now();
  await lockAccountOf(queries, orderId);
  const row = await takeOrder(queries, orderId, now);
  if (row?.order.transaction_id == null) return false;
  const order = { ...row.order, transaction_id: row.order.transaction_id };
  const { facts, subscriptionId } = await factsOf(queries, provider.name, order);
  if (order.status === "duplicate") return settleDuplicate(queries, parts, { order, facts, change }, changes);
  const terms = termsOf(order);
  const verdicts = await verdictsOn(queries, { provider: provider.name, now }, order, terms, facts);
  const outcome = outcomeOf(terms, facts, verdicts, now);
  if (row.hasMismatch || outcome.mismatches.length > 0)
    await noteMismatches(queries, { world, log }, provider.name, order, outcome.mismatches);
  // An order never becomes open again: a cancelled one stays cancelled until it is paid.
  const status = outcome.status === "pending" ? order.status : outcome.status;
  if (status !== order.status || subscriptionId !== order.subscription_id)
    await queries.updateTable("orders").set({ status, subscription_id: subscriptionId }).where("id", "=", order.id).execute();
  const agreed = new Set([...verdicts].flatMap(([id, agrees]) => (agrees ? [id] : [])));
  const givesAccess = ({ entitlement }: OrderOutcome) =>
    entitlement !== null && entitlementNow(entitlement, terms.productType, now).status !== "deleted";
  const endsAccess = givesAccess(outcomeOf(terms, factsBefore(facts, changes), verdicts, now)) && !givesAccess(outcome);
  const news = change && newsOf(change, { transactionId: order.transaction_id, trialDays: order.trial_days }, facts, agreed, changes);
  const told = news && ofRefund(news, { endsAccess, hasAccess: givesAccess(outcome), facts });
  const settling = { order, isGranted: row.isGranted, facts, subscriptionId, change, told };
  return outcome.entitlement === null
    ? settleUnpaid(queries, parts, settling, status)
    : settlePaid(queries, parts, settling, outcome.entitlement);
}

/** Locks an order, and reads it. Other processes wait meanwhile, so what it has stays as read. */
async function takeOrder(
  queries: Queries,
  orderId: string,
  now: number,
): Promise<{ readonly order: OrdersTable; readonly isGranted: boolean; readonly hasMismatch: boolean } | null> {
  const row = await queries
    .updateTable("orders")
    .set({ updated_at: now })
    .where("id", "=", orderId)
    .returningAll()
    // One query with the update, because most of the time of a webhook on PostgreSQL is waiting for queries.
    .returning(({ exists, selectFrom }) => [
      exists(selectFrom("entitlements").select("order_id").whereRef("order_id", "=", "orders.id")).as("granted"),
      exists(selectFrom("payment_mismatches").select("order_id").whereRef("order_id", "=", "orders.id").where("settled_at", "is", null)).as(
        "mismatched",
      ),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { granted, mismatched, ...order } = row;
  return { order, isGranted: Boolean(granted), hasMismatch: Boolean(mismatched) };
}

/**
 * The news of a refund depends on whether it ended the access. A whole refund does not end it if the payment was for an earlier period or
 * the plan had already ended. Partial refunds end it once they add up to the whole payment. The subscription may continue after the access
 * has ended.
 */
function ofRefund(
  told: PlanNews,
  { endsAccess, hasAccess, facts }: { readonly endsAccess: boolean; readonly hasAccess: boolean; readonly facts: readonly Fact[] },
): PlanNews {
  if (told.news !== "refunded" && told.news !== "partRefunded") return told;
  if (!endsAccess) return { ...told, news: "partRefunded", over: !hasAccess };
  const subscription = facts.find((fact) => fact.kind === "subscription");
  const goesOn = subscription !== undefined && subscription.status !== "canceled" && subscription.change === null;
  return { ...told, news: "refunded", next: goesOn ? subscription.nextCharge : null };
}

/** The facts as they were before the changes of this write. */
function factsBefore(facts: readonly Fact[], changes: readonly Change[]): Fact[] {
  return facts.flatMap((fact) => {
    const change = changes.find(({ after }) => after.id === fact.id);
    return change === undefined ? [fact] : (change.before ?? []);
  });
}

/** All facts of an order and its subscription, which may be known from its transaction alone. */
export async function factsOf(
  queries: Queries,
  provider: string,
  order: Pick<PaidOrder, "transaction_id" | "subscription_id">,
): Promise<Pick<Settling, "facts" | "subscriptionId">> {
  if (order.subscription_id !== null)
    return { facts: await factsOfOrder(queries, { ...order, payment_provider: provider }), subscriptionId: order.subscription_id };
  const own = await queries
    .selectFrom("provider_facts")
    .select(["fact", "subscription_id"])
    .where("payment_provider", "=", provider)
    .where("transaction_id", "=", order.transaction_id)
    .execute();
  const subscriptionId = own.find((row) => row.subscription_id !== null)?.subscription_id ?? null;
  const facts =
    subscriptionId === null
      ? own.map(({ fact }) => v.parse(storedFactSchema, fact))
      : await factsOfOrder(queries, { ...order, payment_provider: provider, subscription_id: subscriptionId });
  return { facts, subscriptionId };
}

export const termsOf = (order: OrdersTable): OrderTerms => ({
  productType: order.product_type,
  productPlan: order.product_plan,
  trialDays: order.trial_days,
  priceId: order.price_id,
  quantity: order.quantity,
  transactionId: order.transaction_id,
  currency: order.currency,
});

async function settleDuplicate(
  queries: Queries,
  parts: LedgerParts,
  { order, facts, change }: Pick<Settling, "order" | "facts" | "change">,
  changes: readonly Change[],
): Promise<boolean> {
  await refundAndEnd(queries, parts, facts, order.id, order.account_uuid === null ? erasedBuyer : secondPayment);
  const told =
    change?.after.kind === "adjustment" ? newsOf(change, { transactionId: null, trialDays: 0 }, facts, new Set(), changes) : null;
  return told !== null && tell(queries, parts, order, { ...told, news: "returned" });
}

async function settleUnpaid(
  queries: Queries,
  parts: LedgerParts,
  { order, change, told }: Settling,
  status: OrdersTable["status"],
): Promise<boolean> {
  const now = parts.world.now();
  if (status === "failed")
    await queries
      .updateTable("entitlements")
      .set({ status: "deleted", ends_at: sql`CASE WHEN ends_at > ${now} THEN ${now} ELSE ends_at END`, updated_at: now })
      .where("order_id", "=", order.id)
      .execute();
  // The refund of a payment that bought nothing.
  return change?.after.kind === "adjustment" && told !== null && tell(queries, parts, order, { ...told, news: "returned" });
}

async function settlePaid(
  queries: Queries,
  parts: LedgerParts,
  settling: Settling,
  { status, end }: NonNullable<OrderOutcome["entitlement"]>,
): Promise<boolean> {
  const { order, isGranted, facts, subscriptionId, change, told } = settling;
  const now = parts.world.now();
  if (isGranted) {
    await queries.updateTable("entitlements").set({ status, ends_at: end, updated_at: now }).where("order_id", "=", order.id).execute();
    if (change !== null) await refundLateCharge(queries, parts, order, change.after);
    return told !== null && tell(queries, parts, { ...order, subscription_id: subscriptionId }, told);
  }
  const admitted = await admit(queries, parts, settling);
  if (admitted === null) return false;
  await queries
    .insertInto("entitlements")
    .values({ order_id: order.id, account_uuid: order.account_uuid, status, ends_at: end, created_at: now, updated_at: now })
    .execute();
  if (status !== "active") return false;
  const first = facts.find((fact) => fact.kind === "transaction" && fact.id === order.transaction_id);
  return sendReceipt(queries, parts.world, order, {
    end,
    isBack: admitted.isBack,
    first: first?.kind === "transaction" ? first : null,
  });
}

/** Null when the purchase is not allowed and is refunded. Otherwise it replaces the account's open orders and other subscriptions. */
async function admit(
  queries: Queries,
  parts: LedgerParts,
  { order, facts, subscriptionId }: Settling,
): Promise<{ /** Whether the account had an order before. */ readonly isBack: boolean } | null> {
  const buyer = order.account_uuid === null ? null : { id: order.id, account_uuid: order.account_uuid, product_plan: order.product_plan };
  const others = buyer === null ? [] : await othersOf(queries, buyer);
  const reason =
    buyer === null
      ? erasedBuyer
      : hasUsable(others, parts.world.now())
        ? secondPayment
        : order.trial_days > 0 && !(await parts.trials.take(queries, buyer))
          ? "a second trial of one person"
          : null;
  if (reason !== null) {
    parts.log.warn({ order: order.id, reason }, "An order is refunded.");
    await queries.updateTable("orders").set({ status: "duplicate", subscription_id: subscriptionId }).where("id", "=", order.id).execute();
    await refundAndEnd(queries, parts, facts, order.id, reason);
    return null;
  }
  if (buyer !== null) await supersede(queries, parts, buyer, others);
  return { isBack: others.length > 0 };
}

/** Queues the mail about a change; false when there is nothing to tell, or the order has no account. */
async function tell(queries: Queries, { provider, world, links }: LedgerParts, order: OrdersTable, told: PlanNews): Promise<boolean> {
  if (order.account_uuid === null) return false;
  const { news } = told;
  // It ends because another plan was bought: no mail.
  if (news === "cancelled" && hasUsable(await othersOf(queries, { id: order.id, account_uuid: order.account_uuid }), world.now()))
    return false;
  // A scheduled pause was undone for a cancellation: the owner gets the mail about the cancellation instead.
  if (news === "kept" && order.subscription_id !== null && (await isBeingCancelled(queries, provider.name, order.subscription_id)))
    return false;
  // Whoever asked for the refund also asked for the end: no charge follows.
  if (news === "refunded" && order.subscription_id !== null && (await isBeingEnded(queries, provider.name, order.subscription_id)))
    return tellOwner(queries, world, order, { ...told, next: null });
  const confirmation =
    order.subscription_id === null || (news !== "cancelled" && news !== "unpaid")
      ? null
      : await takeConfirmation(queries, provider.name, order.subscription_id);
  if (confirmation?.state === "confirmed") return false;
  // A past-due plan that its owner ended counts as cancelled, whatever is unpaid.
  if (confirmation !== null) {
    const cancelled = { ...told, news: "cancelled", at: told.at ?? null } as const;
    return tellOwner(queries, world, order, cancelled, canBeKept(provider, confirmation.reason) ? links : null);
  }
  return tellOwner(queries, world, order, told);
}
