/** Ends open orders together with their checkouts at the provider, so that an account can pay only one. */
import type { OrdersTable } from "../store/paymentTables.ts";
import { ordersOf } from "./accountOrders.ts";
import { ask, madeSince } from "./askProvider.ts";
import { addDuty } from "./duties.ts";
import { lookForLostCheckout } from "./otherOrders.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import { type PaymentProvider, ProviderFailure } from "./provider.ts";

export const cancelOrder = ({ store, world }: PaymentsWorld, id: string): Promise<void> =>
  store.write(async (queries) => {
    const cancelled = await queries
      .updateTable("orders")
      .set({ status: "cancelled", updated_at: world.now() })
      .where("id", "=", id)
      .where("status", "=", "pending")
      .returning(["id", "transaction_id", "hosted_url", "checked_at", "payment_provider"])
      .executeTakeFirst();
    if (cancelled !== undefined) await lookForLostCheckout(queries, cancelled, "its account opened or paid another", world.now());
  });

/** Cancels a checkout whose process died before it could store it. */
export async function cancelLostCheckout(payments: PaymentsWorld, provider: PaymentProvider, orderId: string): Promise<void> {
  const order = await payments.store.read.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirst();
  const lost = order === undefined ? null : await provider.findCheckout(order.id, madeSince(payments, order));
  if (lost !== null && lost.transactionId !== null) await provider.cancelCheckout(lost.transactionId);
}

/**
 * Ends the account's other open orders before a new one opens, so that two tabs cannot both pay. Returns an order that cannot be ended
 * because it is being paid, otherwise null.
 */
export async function endOthers(payments: PaymentsWorld, accountUuid: string, exceptId: string): Promise<OrdersTable | null> {
  const { store } = payments;
  const others = await ordersOf(store.read, accountUuid).where("status", "=", "pending").where("id", "!=", exceptId).execute();
  for (const other of others) {
    const beingPaid = await endCheckout(payments, accountUuid, other, exceptId);
    if (beingPaid !== null) return beingPaid;
    await cancelOrder(payments, other.id);
  }
  return null;
}

/** Cancels an order's checkout, later if the provider does not answer. Returns the order if it is too late because it is being paid. */
async function endCheckout(payments: PaymentsWorld, accountUuid: string, order: OrdersTable, forId: string): Promise<OrdersTable | null> {
  const { store, world } = payments;
  const channel = channelOf(payments, order.payment_provider);
  const subject = order.transaction_id;
  if (channel === null || subject === null) return null;
  try {
    if (await channel.provider.cancelCheckout(subject)) return null;
    await ask(payments, order);
    const now = await ordersOf(store.read, accountUuid).where("id", "=", order.id).executeTakeFirst();
    return now !== undefined && now.status !== "cancelled" ? now : null;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const duty = { provider: order.payment_provider, kind: "cancel-checkout", subject, orderId: order.id } as const;
    await store.write((queries) => addDuty(queries, { ...duty, reason: `superseded by order ${forId}`, now: world.now() }));
    return null;
  }
}
