import { moneyBackUntil } from "#core/offerDates.ts";
import type { Queries } from "../store/schema.ts";
import { daysOf } from "./days.ts";
import { takenBackAt } from "./entitlement.ts";
import { paymentsOf, termsOf } from "./orderFacts.ts";
import { leftOf } from "./refunds.ts";
import type { OrdersTable } from "../store/paymentTables.ts";

type Order = Pick<OrdersTable, "payment_provider" | "transaction_id" | "subscription_id" | "time_zone">;

/**
 * The last day on which the buyer can ask for the first payment back. Null if nothing was paid, if the payment was refunded or is about to be, or if that day
 * has passed.
 */
export async function moneyBackDay(queries: Queries, order: Order, now: number): Promise<string | null> {
  const { payments, adjustments } = await paymentsOf(queries, order);
  const [first] = termsOf(payments);
  if (first?.billedAt == null) return null;
  if (takenBackAt(first, adjustments) !== null || (await isToBeRefunded(queries, order, first.id))) return null;
  const day = daysOf(order);
  const last = moneyBackUntil(day.now(first.billedAt));
  return last < day.now(now) ? null : last;
}

/** What was refunded of all payments of this order, minor units; null when nothing was. A chargeback is no refund. */
export async function refundedOf(queries: Queries, order: Order): Promise<number | null> {
  const { payments, adjustments } = await paymentsOf(queries, order);
  const refunds = adjustments.filter(({ action }) => action === "refund");
  const back = payments.reduce((sum, payment) => sum + payment.total - leftOf(payment, refunds), 0);
  return back > 0 ? back : null;
}

/** Whether the whole payment will be refunded without being asked for, as after a withdrawal. */
async function isToBeRefunded(queries: Queries, order: Order, transactionId: string): Promise<boolean> {
  const duty = await queries
    .selectFrom("payment_duties")
    .select("subject")
    .where("payment_provider", "=", order.payment_provider)
    .where("kind", "=", "refund")
    .where("subject", "=", transactionId)
    .executeTakeFirst();
  return duty !== undefined;
}
