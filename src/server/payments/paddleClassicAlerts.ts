/** Turns Paddle Classic's signed alerts into facts. */
import * as v from "valibot";
import { signedFields } from "./classicSignature.ts";
import { minorUnits, paidVersion, statusOf, time } from "./paddleClassicFacts.ts";
import { type SignedEvent, type SubscriptionFact, reported, type VersionedFact } from "./provider.ts";

const text = v.pipe(v.string(), v.nonEmpty());
/** "747.00". Stricter than a number: one that cannot be summed would be retried forever. */
const amount = v.pipe(v.string(), v.regex(/^\d{1,12}(?:\.\d{1,6})?$/));
const quantity = v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/)), "1");
/** A day of the calendar. */
const moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  v.check((value) => time(value) !== null),
);
const alertSchema = v.looseObject({
  alert_id: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
  alert_name: v.pipe(v.string(), v.maxLength(100)),
  event_time: moment,
});
const paidSchema = v.object({
  checkout_id: text,
  order_id: text,
  currency: v.string(),
  sale_gross: amount,
  payment_tax: v.optional(amount, "0"),
  fee: v.optional(amount),
  quantity,
  passthrough: v.optional(v.string(), ""),
  product_id: v.optional(v.string()),
});
const subscriptionPaidSchema = v.object({
  ...paidSchema.entries,
  subscription_id: text,
  subscription_plan_id: text,
  initial_payment: v.optional(v.string(), "0"),
  next_bill_date: v.optional(v.string()),
  status: v.optional(v.string(), "active"),
});
const subscriptionSchema = v.object({
  checkout_id: v.optional(v.string()),
  subscription_id: text,
  subscription_plan_id: text,
  status: v.string(),
  next_bill_date: v.optional(v.string()),
  next_retry_date: v.optional(v.string()),
  cancellation_effective_date: v.optional(v.string()),
  paused_from: v.optional(v.string()),
  quantity,
  currency: v.optional(v.string()),
  passthrough: v.optional(v.string(), ""),
});
const refundSchema = v.object({
  checkout_id: text,
  order_id: text,
  subscription_id: v.optional(v.string()),
  initial_payment: v.optional(v.string()),
  refund_type: v.optional(v.string(), "full"),
  gross_refund: v.optional(amount),
  tax_refund: v.optional(amount),
  fee_refund: v.optional(amount),
  currency: v.optional(v.string(), ""),
});

const paidBy = ({ sale_gross: gross, payment_tax: tax, fee, currency }: v.InferOutput<typeof paidSchema>) => ({
  total: minorUnits(gross, currency),
  tax: minorUnits(tax, currency),
  ...reported({ fee: fee === undefined ? null : minorUnits(fee, currency) }),
  currency,
  forPeriod: true,
});

/** Whether a payment is the first of its subscription. Its refund reads the flag alike, so that both name the same payment. */
const isInitial = ({ initial_payment: flag }: { readonly initial_payment?: string | undefined }) => flag === "1" || flag === "true";

type Fields = Readonly<Record<string, string>>;
/** The fields that every alert has. */
interface Alert {
  readonly name: string;
  readonly alertId: string;
  readonly at: string;
  readonly version: string;
}

function subscriptionAlert(alert: v.InferOutput<typeof subscriptionSchema>, { at, version }: Alert): VersionedFact[] {
  const happened = time(at) ?? 0;
  const status = statusOf(alert.status);
  if (status === null) return [];
  const next = time(alert.next_bill_date) ?? time(alert.next_retry_date);
  const ends = time(alert.cancellation_effective_date);
  // Classic reports `canceled` at once, although the plan is paid until the end date.
  const ending = status === "canceled" && ends !== null && ends > happened;
  const pausedFrom = time(alert.paused_from);
  const fact: SubscriptionFact = {
    kind: "subscription",
    id: alert.subscription_id,
    status: ending ? "active" : status,
    transactionId: alert.checkout_id ?? null,
    end: status === "canceled" ? (ends ?? happened) : status === "paused" ? (pausedFrom ?? happened) : next,
    trialing: alert.status === "trialing",
    nextCharge: status === "active" || status === "past_due" ? next : null,
    change: ending
      ? { action: "cancel", at: ends }
      : status === "active" && pausedFrom !== null && pausedFrom > happened
        ? { action: "pause", at: pausedFrom }
        : null,
  };
  return [{ version, fact }];
}

function begun(fields: Fields, head: Alert): VersionedFact[] {
  const { at } = head;
  const alert = v.parse(subscriptionSchema, fields);
  const trial = alert.status === "trialing";
  return [
    {
      version: trial ? paidVersion(0, at) : `1 ${at}`,
      fact: {
        kind: "transaction",
        id: v.parse(text, alert.checkout_id),
        // Only a free trial begins without a payment. For others, the payment's own alert says what was paid.
        status: trial ? "completed" : "open",
        items: [{ priceId: alert.subscription_plan_id, quantity: Number(alert.quantity) }],
        subscriptionId: alert.subscription_id,
        orderId: alert.passthrough || null,
        total: 0,
        tax: 0,
        currency: v.parse(text, alert.currency),
        forPeriod: true,
        billedAt: time(at),
        periodEnd: time(alert.next_bill_date),
      },
    },
    ...subscriptionAlert(alert, head),
  ];
}

function paidForPeriod(fields: Fields, head: Alert): VersionedFact[] {
  const { at } = head;
  const alert = v.parse(subscriptionPaidSchema, fields);
  const initial = isInitial(alert);
  return [
    {
      version: paidVersion(1, at),
      fact: {
        kind: "transaction",
        id: initial ? alert.checkout_id : alert.order_id,
        status: "completed",
        items: [{ priceId: alert.subscription_plan_id, quantity: Number(alert.quantity) }],
        subscriptionId: alert.subscription_id,
        orderId: initial ? alert.passthrough || null : null,
        ...paidBy(alert),
        billedAt: time(at),
        periodEnd: time(alert.next_bill_date),
      },
    },
    ...subscriptionAlert(alert, head),
  ];
}

function paidOnce(fields: Fields, { at }: Alert): VersionedFact[] {
  const alert = v.parse(paidSchema, fields);
  return [
    {
      version: paidVersion(1, at),
      fact: {
        kind: "transaction",
        id: alert.checkout_id,
        status: "completed",
        items: [{ priceId: alert.product_id ?? "", quantity: Number(alert.quantity) }],
        subscriptionId: null,
        orderId: alert.passthrough || null,
        ...paidBy(alert),
        billedAt: time(at),
        periodEnd: null,
      },
    },
  ];
}

function refunded(fields: Fields, { name, alertId, at, version }: Alert): VersionedFact[] {
  const alert = v.parse(refundSchema, fields);
  const amountOf = (value: string | undefined) => (value === undefined ? null : minorUnits(value, alert.currency));
  const renewal = name === "subscription_payment_refunded" && !isInitial(alert);
  return [
    {
      version,
      fact: {
        kind: "adjustment",
        id: alert.refund_type === "full" ? `refund-${alert.order_id}` : `refund-${alert.order_id}-${alertId}`,
        transactionId: renewal ? alert.order_id : alert.checkout_id,
        subscriptionId: alert.subscription_id ?? null,
        action: "refund",
        full: alert.refund_type === "full",
        approved: true,
        total: amountOf(alert.gross_refund),
        ...reported({ tax: amountOf(alert.tax_refund), fee: amountOf(alert.fee_refund) }),
        at: time(at),
      },
    },
  ];
}

function disputed(fields: Fields, { name, at, version }: Alert): VersionedFact[] {
  // An alert about a dispute does not say whether it concerns a renewal, so both possible ids get a fact; only one of them is a payment's.
  const alert = v.parse(refundSchema, fields);
  const action = name === "payment_dispute_created" ? "chargeback" : "chargeback_reverse";
  return [alert.checkout_id, alert.order_id].map((transactionId) => ({
    version,
    fact: {
      kind: "adjustment",
      id: `${action}-${transactionId}`,
      transactionId,
      subscriptionId: alert.subscription_id ?? null,
      action,
      full: true,
      approved: true,
      total: null,
      at: time(at),
    },
  }));
}

/** The event in a signed alert; null when its signature or its fields are wrong. */
export function eventIn(rawBody: Buffer, publicKey: string): SignedEvent | null {
  const parsed = v.safeParse(alertSchema, signedFields(rawBody, publicKey));
  return parsed.success
    ? { eventId: parsed.output.alert_id, eventType: parsed.output.alert_name, payload: rawBody.toString("utf8") }
    : null;
}

export function factsOf(payload: string): VersionedFact[] {
  const fields = Object.fromEntries(new URLSearchParams(payload));
  const { alert_name: name, alert_id: alertId, event_time: at } = v.parse(alertSchema, fields);
  const alert: Alert = { name, alertId, at, version: `${at} ${alertId.padStart(20, "0")}` };
  switch (name) {
    case "subscription_created":
      return begun(fields, alert);
    case "subscription_updated":
    case "subscription_cancelled":
    case "subscription_payment_failed":
      return subscriptionAlert(v.parse(subscriptionSchema, fields), alert);
    case "subscription_payment_succeeded":
      return paidForPeriod(fields, alert);
    case "payment_succeeded":
      return paidOnce(fields, alert);
    case "payment_refunded":
    case "subscription_payment_refunded":
      return refunded(fields, alert);
    case "payment_dispute_created":
    case "payment_dispute_closed":
      return disputed(fields, alert);
    default:
      return [];
  }
}
