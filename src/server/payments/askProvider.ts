/** Asks the provider for an order's payment, one process at a time. */
import type { OrdersTable } from "../store/paymentTables.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import { ProviderFailure } from "./provider.ts";

const dayMs = 86_400_000;
/** How long a polling page waits for the provider. */
const answerWithinMs = 1_000;

/** The earliest time at which the provider can have created something for an order. Goes back a day if our clock was set back since. */
export const madeSince = ({ world }: PaymentsWorld, { created_at: at }: OrdersTable): number =>
  at > world.now() ? world.now() - dayMs : at;

/**
 * Claims the right to ask about an order. False when another process has claimed it since it was read, or there is nothing to ask about.
 */
export async function claimAsking(
  { store, world }: PaymentsWorld,
  { id, transaction_id: transactionId, hosted_url: hostedUrl, checked_at: seen }: OrdersTable,
): Promise<boolean> {
  if (transactionId === null && hostedUrl === null) return false;
  const { numUpdatedRows } = await store.write((queries) =>
    queries
      .updateTable("orders")
      .set({ checked_at: world.now() })
      .where("id", "=", id)
      .where("checked_at", "is not distinct from", seen)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Asks the provider for an order's payment. If the provider does not answer, it is asked again later. */
export async function ask(payments: PaymentsWorld, order: OrdersTable): Promise<void> {
  const channel = channelOf(payments, order.payment_provider);
  if (channel === null) return;
  const { provider, ledger } = channel;
  try {
    const { id, price_id: priceId, transaction_id: transactionId } = order;
    await ledger.apply(await provider.readOrder({ id, priceId, transactionId, since: madeSince(payments, order) }));
    const row = await payments.store.read.selectFrom("orders").select("subscription_id").where("id", "=", order.id).executeTakeFirst();
    if (row?.subscription_id != null) await ledger.apply(await provider.readSubscription(row.subscription_id));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    payments.log.warn({ order: order.id, kind: error.kind, err: error }, "The payment provider did not report an order's payment.");
  }
}

/** Waits a short time for the provider's answer. An answer that comes after the page's reply is stored all the same. */
export async function withinPatience({ log }: PaymentsWorld, asking: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<"late">();
  const patience = setTimeout(() => late.resolve("late"), answerWithinMs);
  try {
    if ((await Promise.race([asking, late.promise])) === "late")
      asking.catch((error: unknown) => log.error({ err: error }, "The payment provider's late answer could not be stored."));
  } finally {
    clearTimeout(patience);
  }
}
