/** Checkouts: each is created once at the provider, stored with its order, and returned while it can be paid. */
import type { Locale } from "#core/locales.ts";
import { queueMail } from "../mail/outbox.ts";
import { lockUnlessErased } from "../store/lockAccounts.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import { checkedOrder, lockAccount, ordersOf, usableOrder } from "./accountOrders.ts";
import { madeSince } from "./askProvider.ts";
import { carryOutSoon } from "./carryOut.ts";
import { addDuty } from "./duties.ts";
import { cancelOrder, endOthers } from "./endOrders.ts";
import { hasCheckout, openOrder } from "./openOrders.ts";
import { channelOf, type PaymentsWorld } from "./paymentsWorld.ts";
import { type OpenCheckout, type PaymentProvider, ProviderFailure } from "./provider.ts";
import type { OpenResult, OrderRequest } from "./service.ts";

type Hosted = OrderRequest<never>["hosted"];
type Opened = Extract<OpenResult<never>, { readonly kind: "open" }>;

const opened = ({ id, transaction_id: transactionId, hosted_url: hostedUrl }: OrdersTable): Opened => ({
  kind: "open",
  checkout: { paymentId: transactionId ?? id, transactionId, hostedUrl },
});

/** The same checkout. If the caller asked for the provider's hosted page, its URL gets the buyer's language and the return address. */
function linked(order: OrdersTable, provider: PaymentProvider, hosted: Hosted): Opened {
  const { checkout } = opened(order);
  const { hostedUrl } = checkout;
  return {
    kind: "open",
    checkout: { ...checkout, hostedUrl: hostedUrl === null || hosted === undefined ? hostedUrl : provider.hostedLink(hostedUrl, hosted) },
  };
}

export async function openCheckout<Refused>(
  payments: PaymentsWorld,
  request: OrderRequest<Refused>,
  triesLeft = 3,
): Promise<OpenResult<Refused>> {
  const { store, world, log } = payments;
  const { accountUuid, hosted } = request;
  // A buyer with a usable plan is not charged again: the answer is their paid order, which the page shows as paid.
  // The same holds for a payment with another amount that is being checked.
  const paid = (await usableOrder(store.read, world, accountUuid)) ?? (await checkedOrder(store.read, accountUuid));
  if (paid !== undefined) return opened(paid);
  const again = (): Promise<OpenResult<Refused>> | OpenResult<Refused> =>
    triesLeft > 0 ? openCheckout(payments, request, triesLeft - 1) : { kind: "provider failed" };
  const order = await openOrder(payments, request);
  if (order === "paid") return again();
  if ("kind" in order) return order;
  const channel = channelOf(payments, order.payment_provider);
  if (channel === null) return { kind: "not sold" };
  const { provider } = channel;
  if (hasCheckout(order)) return linked(order, provider, hosted);
  try {
    const beingPaid = await endOthers(payments, accountUuid, order.id);
    if (beingPaid !== null) {
      await cancelOrder(payments, order.id);
      return opened(beingPaid);
    }
    const checkout = await checkoutAt(payments, provider, order, hosted);
    const bound = await bind(payments, accountUuid, order, checkout);
    return bound === null ? await again() : linked(bound, provider, hosted);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ order: order.id, kind: error.kind, err: error }, "The payment provider failed to open a checkout.");
    return { kind: "provider failed" };
  }
}

/** Creates the order's checkout at the provider. If an earlier answer may have been lost, it first looks for a checkout created then. */
async function checkoutAt(payments: PaymentsWorld, provider: PaymentProvider, order: OrdersTable, hosted: Hosted): Promise<OpenCheckout> {
  const { store, world } = payments;
  // `checked_at` is set before the provider is asked to create one.
  const lost = order.checked_at === null ? null : await provider.findCheckout(order.id, madeSince(payments, order));
  await store.write((queries) => queries.updateTable("orders").set({ checked_at: world.now() }).where("id", "=", order.id).execute());
  return (
    lost ??
    provider.createCheckout({
      id: order.id,
      priceId: order.price_id,
      quantity: order.quantity,
      couponCode: order.coupon_code,
      returnUrl: hosted?.returnUrl ?? null,
    })
  );
}

/**
 * Stores a checkout with its order. Returns null when the checkout must not be used: meanwhile the account has got a plan or been erased, or another order has
 * replaced this one. Then the checkout is cancelled at the provider.
 */
async function bind(
  payments: PaymentsWorld,
  accountUuid: string,
  { id: orderId, payment_provider: provider }: OrdersTable,
  { transactionId, hostedUrl }: OpenCheckout,
): Promise<OrdersTable | null> {
  const { store, world } = payments;
  const [bound, unused] = await store.write(async (queries) => {
    const { hasPlan, erased } = await lockAccount(queries, world, accountUuid);
    await queries
      .updateTable("orders")
      .set({ hosted_url: hostedUrl, updated_at: world.now(), ...(transactionId === null ? {} : { transaction_id: transactionId }) })
      .where("id", "=", orderId)
      // The webhook about its creation, or another process, may have stored it already.
      .where((expression) =>
        expression.or([
          expression.and([expression("transaction_id", "is", null), expression("hosted_url", "is", null)]),
          expression("transaction_id", "=", transactionId),
        ]),
      )
      .execute();
    const row = await ordersOf(queries, accountUuid).where("id", "=", orderId).executeTakeFirst();
    const open = !hasPlan && !erased && row?.status === "pending";
    const paid = row?.status === "completed" && row.transaction_id === transactionId;
    const leftOver = transactionId !== null && !paid && !(open && row.transaction_id === transactionId);
    if (leftOver)
      await addDuty(queries, {
        provider,
        kind: "cancel-checkout",
        subject: transactionId,
        orderId,
        reason: "made while the account paid or opened another",
        now: world.now(),
      });
    return [open ? row : null, leftOver] as const;
  });
  if (unused) carryOutSoon(payments);
  return bound;
}

/** Queues a mail with a checkout's address, unless the account has been erased since the call began. */
export async function mailPayLink(
  { store, world, onMail }: PaymentsWorld,
  accountUuid: string,
  url: string,
  language: Locale,
): Promise<void> {
  const queued = await store.write(async (queries) => {
    if (!(await lockUnlessErased(queries, accountUuid))) return false;
    const { email, firstname } = await queries
      .selectFrom("accounts")
      .select(["email", "firstname"])
      .where("uuid", "=", accountUuid)
      .executeTakeFirstOrThrow();
    await queueMail(queries, world, { accountUuid, template: "payLink", locale: language, recipient: email, data: { firstname, url } });
    return true;
  });
  if (queued) onMail();
}
