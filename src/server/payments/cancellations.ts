/** Cancels subscriptions when their owner asks for it, and confirms the result by mail. */
import type { PaymentDutiesTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { beginDuty, canBeKept, cancelledByOwner, cancelledWithoutLogin, dropConfirmation, finishDuty, insteadOfPause } from "./duties.ts";
import { subscriptionOf } from "./storedSubscription.ts";
import type { Channel, PaymentsWorld } from "./paymentsWorld.ts";
import { tellOwner } from "./planMails.ts";
import { type PaymentProvider, ProviderFailure, type SubscriptionFact, type VersionedFact } from "./provider.ts";
import type { Note } from "./service.ts";

/** A subscription that its provider can still change. */
export interface LivingSubscription extends Channel {
  readonly subscription: SubscriptionFact;
}

interface ConfirmationDuty {
  readonly provider: string;
  readonly kind: "confirm-cancellation";
  readonly subject: string;
  readonly orderId: string;
}

/** Cancels. The write that stores the provider's answer also queues the mail. A scheduled change is undone first, without a mail. */
export async function cancelPlan(
  payments: PaymentsWorld,
  { provider, ledger, subscription }: LivingSubscription,
  orderId: string,
  atOnce: boolean,
  { note = async () => {}, reason = cancelledByOwner }: { readonly note?: Note | undefined; readonly reason?: string } = {},
): Promise<void> {
  const { store, world, onMail } = payments;
  const duty = { provider: provider.name, kind: "confirm-cancellation", subject: subscription.id, orderId } as const;
  await store.write(async (queries) => {
    await beginDuty(queries, { ...duty, reason: subscription.change === null ? reason : insteadOfPause(reason), now: world.now() });
    await note(queries);
  });
  let facts: readonly VersionedFact[];
  try {
    if (subscription.change !== null) await ledger.apply(await provider.changeSubscription(subscription.id, "keep"));
    if (atOnce) await provider.endSubscription(subscription.id);
    facts = atOnce ? await provider.readSubscription(subscription.id) : await provider.changeSubscription(subscription.id, "cancel");
  } catch (error) {
    const isRefused = error instanceof ProviderFailure && error.kind === "refused";
    if (isRefused && (await store.write((queries) => leaveUncancelled(payments, queries, duty)))) onMail();
    throw error;
  }
  await ledger.apply(facts);
}

/** For a cancellation whose answer was lost: asks the provider whether it took effect, and mails the owner the result. */
export async function confirmLostCancellation(
  payments: PaymentsWorld,
  provider: PaymentProvider,
  { subject, order_id: orderId, reason }: PaymentDutiesTable,
): Promise<void> {
  const { store, world, links, onMail } = payments;
  if (orderId === null) return;
  const told = (await provider.readSubscription(subject)).some(
    ({ fact }) => fact.kind === "subscription" && (fact.status === "canceled" || fact.change?.action === "cancel"),
  );
  const duty = { provider: provider.name, kind: "confirm-cancellation", subject, orderId } as const;
  const mailed = await store.write(async (queries) => {
    if (!told) return leaveUncancelled(payments, queries, duty);
    const plan = await queries
      .selectFrom("entitlements")
      .select(["status", "ends_at"])
      .where("order_id", "=", orderId)
      .where("ends_at", ">", world.now())
      .executeTakeFirst();
    const order = await queries.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirst();
    if (order === undefined || !(await finishDuty(queries, { ...duty, now: world.now() }))) return false;
    const at = plan === undefined || plan.status === "paused" ? null : plan.ends_at;
    return tellOwner(queries, world, order, { news: "cancelled", at }, canBeKept(provider, reason) ? links : null);
  });
  if (mailed) onMail();
}

/** Handles a failed cancellation: if a scheduled pause was undone for it, a mail says so. Returns whether one was queued. */
async function leaveUncancelled({ store, world }: PaymentsWorld, queries: Queries, duty: ConfirmationDuty): Promise<boolean> {
  const reason = await dropConfirmation(queries, duty.provider, duty.subject);
  if (reason === null || ![cancelledByOwner, cancelledWithoutLogin].map(insteadOfPause).includes(reason)) return false;
  const order = await queries.selectFrom("orders").selectAll().where("id", "=", duty.orderId).executeTakeFirst();
  const subscription = await subscriptionOf(store.read, duty.provider, duty.subject);
  if (order === undefined || subscription?.change !== null || subscription.status !== "active") return false;
  return tellOwner(queries, world, order, { news: "kept", next: subscription.nextCharge });
}
