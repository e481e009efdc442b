/** The status of a payment, for the page that waits for it. */
import type { OrdersTable } from "../store/paymentTables.ts";
import { ordersOf, usableOrder } from "./accountOrders.ts";
import { ask, claimAsking, withinPatience } from "./askProvider.ts";
import type { PaymentsWorld } from "./paymentsWorld.ts";
import type { PaymentState, Purchase } from "./service.ts";

const secondMs = 1_000;
/** A checkout page polls every 1.5 s. About one order, the provider is asked at most this often. */
const askAgainMs = 10 * secondMs;
/** The provider is not asked about younger orders, because their webhook normally comes first. */
const webhookHeadStartMs = 5 * secondMs;

export async function statusOf(
  payments: PaymentsWorld,
  accountUuid: string,
  paymentId: string,
  mayAsk: () => Promise<boolean> = async () => true,
): Promise<PaymentState> {
  const { store, world } = payments;
  const find = () =>
    (paymentId === ""
      ? ordersOf(store.read, accountUuid)
      : ordersOf(store.read, accountUuid).where((expression) =>
          expression.or([expression("transaction_id", "=", paymentId), expression("id", "=", paymentId)]),
        )
    )
      // An account can have opened any number of orders, and its page polls.
      .limit(1)
      .executeTakeFirst();
  let order = await find();
  const now = world.now();
  // A time in the future was stored before the clock was set back, so it is past.
  const isPast = (at: number, by: number) => at > now || now - at > by;
  const quiet = order?.status === "pending" && isPast(order.created_at, webhookHeadStartMs) && isPast(order.checked_at ?? 0, askAgainMs);
  if (order !== undefined && quiet && (await mayAsk()) && (await claimAsking(payments, order))) {
    await withinPatience(payments, ask(payments, order));
    order = await find();
  }
  // With two tabs either may have been paid: the account has a plan, and nothing else is charged.
  const usable = await usableOrder(store.read, world, accountUuid);
  const settled = paymentId === "" || order?.status === "duplicate" ? (usable ?? order) : order;
  const status = settled?.status;
  return {
    status: status === "pending" || status === "completed" || status === "failed" ? status : "cancelled",
    purchase: settled === undefined || status !== "completed" ? null : purchaseOf(settled),
  };
}

const purchaseOf = (order: OrdersTable): Purchase => ({
  orderId: order.id,
  productId: order.product_id,
  productType: order.product_type,
  productPlan: order.product_plan,
  currency: order.currency,
  price: order.price,
  trialDays: order.trial_days,
  couponCode: order.coupon_code,
});
