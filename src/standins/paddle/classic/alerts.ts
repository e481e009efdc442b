/** The alerts that Classic sends: each event of the engine in Classic's words. */
import type { IAdjustmentNotificationResponse, ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { customOf, type Desk, manageUrl, orderIdOf, receiptUrl, subscriptionStatus } from "./desk.ts";
import { day, major, seconds } from "./formats.ts";

type Fields = Record<string, string | undefined>;
interface Alert {
  readonly name: string;
  readonly fields: Fields;
}

// The event's name determines the type of its data; these narrow it.
const isSubscription = (data: object): data is ISubscriptionResponse => "billing_cycle" in data && "status" in data;
const isTransaction = (data: object): data is ITransactionResponse => "origin" in data && "items" in data;
const isAdjustment = (data: object): data is IAdjustmentNotificationResponse => "transaction_id" in data && "action" in data;

function ofSubscription(desk: Desk, subscription: ISubscriptionResponse): Fields {
  const { passthrough, checkout } = customOf(subscription);
  const [item] = subscription.items;
  const url = manageUrl(desk, subscription.id);
  return {
    checkout_id: checkout,
    passthrough,
    subscription_id: desk.numberOf(subscription.id),
    subscription_plan_id: item?.price.id,
    status: subscriptionStatus[subscription.status],
    currency: subscription.currency_code,
    quantity: String(item?.quantity ?? 1),
    unit_price: major(item?.price.unit_price.amount, subscription.currency_code),
    next_bill_date: day(subscription.next_billed_at),
    update_url: url,
    cancel_url: url,
  };
}
function ofPayment(desk: Desk, transaction: ITransactionResponse): Fields {
  const { passthrough, checkout } = customOf(transaction);
  const [item] = transaction.items;
  return {
    checkout_id: checkout,
    order_id: orderIdOf(desk, transaction),
    passthrough,
    currency: transaction.currency_code,
    sale_gross: major(transaction.details?.totals?.grand_total, transaction.currency_code),
    payment_tax: major(transaction.details?.totals?.tax, transaction.currency_code),
    payment_method: "card",
    quantity: String(item?.quantity ?? 1),
    email: desk.billing.buyerOf(transaction)?.email,
    country: desk.billing.buyerOf(transaction)?.countryCode,
    receipt_url: receiptUrl(desk),
  };
}

function ended(desk: Desk, subscription: ISubscriptionResponse, at: string | null | undefined): Alert {
  return {
    name: "subscription_cancelled",
    fields: {
      ...ofSubscription(desk, subscription),
      status: "deleted",
      cancellation_effective_date: seconds(at),
      next_bill_date: undefined,
    },
  };
}

function ofSubscriptionEvent(desk: Desk, type: string, subscription: ISubscriptionResponse): Alert | null {
  if (type === "subscription.created")
    return { name: "subscription_created", fields: { ...ofSubscription(desk, subscription), source: "checkout" } };
  if (type === "subscription.canceled") return ended(desk, subscription, subscription.canceled_at);
  if (type === "subscription.trialing") return null;
  const planned = subscription.scheduled_change;
  if (planned?.action === "cancel") return ended(desk, subscription, planned.effective_at);
  const pausedFrom =
    subscription.status === "paused" ? subscription.paused_at : planned?.action === "pause" ? planned.effective_at : undefined;
  return {
    name: "subscription_updated",
    fields: { ...ofSubscription(desk, subscription), paused_from: pausedFrom ? seconds(pausedFrom) : undefined },
  };
}

function paid(desk: Desk, transaction: ITransactionResponse): Alert | null {
  const [item] = transaction.items;
  if (transaction.subscription_id == null)
    return { name: "payment_succeeded", fields: { ...ofPayment(desk, transaction), product_id: item?.price?.id } };
  const subscription = desk.billing.getSubscription(transaction.subscription_id);
  const initial = transaction.origin !== "subscription_recurring";
  // A free trial starts without a payment.
  if (initial && transaction.details?.totals?.grand_total === "0") return null;
  return {
    name: "subscription_payment_succeeded",
    fields: {
      ...ofSubscription(desk, subscription),
      ...ofPayment(desk, transaction),
      status: "active",
      initial_payment: initial ? "1" : "0",
      next_bill_date: day(transaction.billing_period?.ends_at),
      subscription_payment_id: desk.numberOf(transaction.id),
    },
  };
}

function pastDue(desk: Desk, at: string, transaction: ITransactionResponse, subscriptionId: string): Alert {
  return {
    name: "subscription_payment_failed",
    fields: {
      ...ofSubscription(desk, desk.billing.getSubscription(subscriptionId)),
      status: "past_due",
      amount: major(transaction.details?.totals?.grand_total, transaction.currency_code),
      next_bill_date: undefined,
      next_retry_date: day(new Date(Date.parse(at) + 3 * 86_400_000).toISOString()),
      subscription_payment_id: desk.numberOf(transaction.id),
    },
  };
}

function adjusted(desk: Desk, adjustment: IAdjustmentNotificationResponse): Alert | null {
  const transaction = desk.billing.getTransaction(adjustment.transaction_id);
  const subscription = transaction.subscription_id == null ? undefined : desk.numberOf(transaction.subscription_id);
  const initial = transaction.origin !== "subscription_recurring";
  if (adjustment.action === "refund")
    return {
      name: subscription === undefined ? "payment_refunded" : "subscription_payment_refunded",
      fields: {
        ...ofPayment(desk, transaction),
        subscription_id: subscription,
        initial_payment: subscription === undefined ? undefined : initial ? "1" : "0",
        refund_type: adjustment.type ?? "full",
        gross_refund: major(adjustment.totals?.total, transaction.currency_code),
      },
    };
  if (adjustment.action !== "chargeback" && adjustment.action !== "chargeback_reverse") return null;
  const isOpen = adjustment.action === "chargeback";
  return {
    name: isOpen ? "payment_dispute_created" : "payment_dispute_closed",
    fields: { ...ofPayment(desk, transaction), status: isOpen ? "open" : "closed" },
  };
}

/** Null for an event that Classic does not tell. */
export function alertOf(desk: Desk, type: string, at: string, data: object): Alert | null {
  if (type.startsWith("subscription.") && isSubscription(data)) return ofSubscriptionEvent(desk, type, data);
  if (type === "transaction.completed" && isTransaction(data)) return paid(desk, data);
  if (type === "transaction.past_due" && isTransaction(data) && data.subscription_id != null)
    return pastDue(desk, at, data, data.subscription_id);
  if (type === "adjustment.updated" && isAdjustment(data) && data.status === "approved") return adjusted(desk, data);
  return null;
}
