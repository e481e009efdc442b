/** An account's plan: its state, and the changes that its owner can make. */
import { knownLocale } from "#core/locales.ts";
import type { SubscriptionAction } from "#core/products.ts";
import { entitledOrders, type EntitledOrder } from "./accountOrders.ts";
import { cancelPlan, type LivingSubscription } from "./cancellations.ts";
import { renewalPrice } from "./catalogue.ts";
import { chargeZoneOf } from "./days.ts";
import { cancelledWithoutLogin } from "./duties.ts";
import { earlyEnd } from "./earlyEnds.ts";
import { subscriptionOf } from "./storedSubscription.ts";
import { moneyBackDay, refundedOf } from "./moneyBack.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import type { Note, Plan } from "./service.ts";

export interface CurrentPlan {
  readonly orderId: string;
  readonly plan: Plan;
  /** The plan's subscription; null when there is none that its provider can still change. */
  readonly living: LivingSubscription | null;
}

/** The account's newest plan; null when it never had one. */
export async function currentPlan(payments: PaymentsWorld, accountUuid: string): Promise<CurrentPlan | null> {
  const { store, world } = payments;
  const [newest] = await entitledOrders(store.read, world, accountUuid);
  if (newest === undefined) return null;
  const { order, state, refundAtEnd } = newest;
  const { subscription, living } = await subscriptionBehind(payments, newest);
  const planned = living?.subscription.change ?? null;
  const change = planned?.action === "cancel" && state.end !== null ? { ...planned, at: Math.min(planned.at, state.end) } : planned;
  const plan: Plan = {
    ...state,
    productType: order.product_type,
    productPlan: order.product_plan,
    currency: order.currency,
    price: await renewalPrice(store.read, order),
    trialing: state.status === "active" && (subscription?.trialing ?? false),
    nextCharge: living !== null && change === null ? living.subscription.nextCharge : null,
    change,
    actions: living === null ? [] : actionsWith(living, state.status, change),
    timeZone: chargeZoneOf(order),
    moneyBackUntil: await moneyBackDay(store.read, order, world.now()),
    earlyEnd: living !== null && change?.action !== "cancel" ? await earlyEndFor(payments, order, accountUuid) : null,
    refundAtEnd: change?.action === "cancel" && state.status !== "deleted" ? refundAtEnd : null,
    refunded: state.status === "deleted" ? await refundedOf(store.read, order) : null,
  };
  return { orderId: order.id, plan, living };
}

async function earlyEndFor({ store, world }: PaymentsWorld, order: EntitledOrder["order"], accountUuid: string): Promise<Plan["earlyEnd"]> {
  const account = await store.read.selectFrom("accounts").select("locale").where("uuid", "=", accountUuid).executeTakeFirst();
  const found = account === undefined ? null : await earlyEnd(store.read, order, knownLocale(account.locale), world.now());
  return found === null ? null : { endsAt: found.endsAt, back: found.back };
}

async function subscriptionBehind(payments: PaymentsWorld, { order }: EntitledOrder) {
  const subscription =
    order.subscription_id === null ? null : await subscriptionOf(payments.store.read, order.payment_provider, order.subscription_id);
  const channel = channelOf(payments, order.payment_provider);
  // A subscription outlives an entitlement that a refund ended, and its next charge renews it. Granted days outlive a subscription.
  const lives = subscription !== null && subscription.status !== "canceled";
  return { subscription, living: lives && channel !== null ? { ...channel, subscription } : null };
}

function actionsWith({ provider }: LivingSubscription, status: Plan["status"], change: Plan["change"]): readonly SubscriptionAction[] {
  // A cancellation is not undone if the owner would then be charged without having access.
  if (change?.action === "cancel" && (status === "deleted" || !provider.keepsCancelled)) return [];
  if (status === "deleted") return ["cancel"];
  if (status === "paused") return ["resume", "cancel"];
  if (change !== null) return change.action === "pause" ? ["keep", "cancel"] : ["keep"];
  return status === "active" ? ["pause", "cancel"] : ["cancel"];
}

/** No paid time is left, so a cancellation ends the plan at once. */
const isUnpaid = ({ status }: Plan) => status !== "active";

export const changePlan = (
  payments: PaymentsWorld,
  accountUuid: string,
  action: SubscriptionAction,
  note: Note | undefined,
): Promise<Plan | null> =>
  payments.oneAtATime(accountUuid, async () => {
    const current = await currentPlan(payments, accountUuid);
    if (current?.living == null || !current.plan.actions.includes(action)) return null;
    const { provider, ledger, subscription } = current.living;
    if (action === "cancel") await cancelPlan(payments, current.living, current.orderId, isUnpaid(current.plan), { note });
    else {
      if (note !== undefined) await payments.store.write(note);
      await ledger.apply(await provider.changeSubscription(subscription.id, action));
    }
    return (await currentPlan(payments, accountUuid))?.plan ?? null;
  });

/**
 * Cancels the newest plan if it belongs to the order, or in any case without an order; false when there is nothing to cancel. A sender who
 * names no order may be a stranger, so a cancellation that would take effect at once, for good, is left to a person.
 */
export const cancelNamed = (payments: PaymentsWorld, accountUuid: string, orderId: string | null): Promise<boolean> =>
  payments.oneAtATime(accountUuid, async () => {
    const current = await currentPlan(payments, accountUuid);
    if (current?.living == null || (orderId !== null && current.orderId !== orderId)) return false;
    const { change } = current.plan;
    if (change?.action === "cancel") return true;
    if (orderId === null && isUnpaid(current.plan)) return false;
    await cancelPlan(payments, current.living, current.orderId, isUnpaid(current.plan), { reason: cancelledWithoutLogin });
    return true;
  });

export async function cardPage(payments: PaymentsWorld, accountUuid: string): Promise<string | null> {
  const current = await currentPlan(payments, accountUuid);
  if (current?.living == null || current.plan.actions.length === 0) return null;
  const account = await payments.store.read
    .selectFrom("accounts")
    .select("email")
    .where("uuid", "=", accountUuid)
    .where("email_confirmed_at", "is not", null)
    .executeTakeFirst();
  return current.living.provider.cardPage(current.living.subscription.id, account?.email ?? null);
}
