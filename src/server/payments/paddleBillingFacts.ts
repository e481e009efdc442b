/** Turns Paddle Billing's webhooks and API answers into facts. */
import type { Subscription, Transaction, TransactionAdjustment } from "@paddle/paddle-node-sdk";
import * as v from "valibot";
import { type SignedEvent, reported, type VersionedFact } from "./provider.ts";

// The fields that webhooks and API answers share, spelled as in webhooks.
const period = v.nullish(v.object({ ends_at: v.string() }));
const transactionSchema = v.object({
  id: v.string(),
  status: v.string(),
  origin: v.string(),
  subscription_id: v.nullish(v.string()),
  custom_data: v.nullish(v.record(v.string(), v.unknown())),
  items: v.array(v.object({ price: v.nullish(v.object({ id: v.string() })), quantity: v.number() })),
  currency_code: v.nullish(v.string()),
  details: v.nullish(v.object({ totals: v.nullish(v.object({ total: v.string(), tax: v.string(), fee: v.nullish(v.string()) })) })),
  billing_period: period,
  billed_at: v.nullish(v.string()),
  updated_at: v.string(),
});
const subscriptionSchema = v.object({
  id: v.string(),
  status: v.string(),
  transaction_id: v.nullish(v.string()),
  next_billed_at: v.nullish(v.string()),
  paused_at: v.nullish(v.string()),
  canceled_at: v.nullish(v.string()),
  scheduled_change: v.nullish(v.object({ action: v.string(), effective_at: v.string() })),
  current_billing_period: period,
  updated_at: v.string(),
});
const adjustmentSchema = v.object({
  id: v.string(),
  action: v.string(),
  type: v.nullish(v.string()),
  transaction_id: v.string(),
  subscription_id: v.nullish(v.string()),
  status: v.string(),
  reason: v.nullish(v.string()),
  totals: v.nullish(v.object({ total: v.string(), tax: v.nullish(v.string()), fee: v.nullish(v.string()) })),
  created_at: v.nullish(v.string()),
  updated_at: v.string(),
});
const eventSchema = v.object({
  event_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
  event_type: v.pipe(v.string(), v.maxLength(100)),
  occurred_at: v.string(),
  data: v.looseObject({}),
});

const amountOf = (amount: string | null | undefined) => (amount == null ? null : Number(amount));
const ms = (time: string | null | undefined) => (time ? Date.parse(time) : null);
/** Pads fractions of a second to the same length, so that sorting as text sorts by time. */
function stamp(time: string): string {
  const [, whole = time, fraction = ""] = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(time) ?? [];
  return `${whole}.${fraction.padEnd(9, "0").slice(0, 9)}`;
}

/**
 * Origins of transactions that pay for a plan: our API calls, the form, renewals. Others charge extras, or nothing when a card is changed.
 */
const periodOrigins = ["api", "web", "subscription_recurring"];
/** A transaction's status only moves forward in this list. Of two reports, the one with the later status is therefore newer, whatever their times. */
const transactionOrder = ["draft", "ready", "billed", "past_due", "paid", "canceled", "completed"];

function transactionFact(entity: v.InferOutput<typeof transactionSchema>, at: string): VersionedFact {
  // `paid` means captured but not yet processed; only `completed` counts.
  const status = entity.status === "completed" || entity.status === "canceled" || entity.status === "past_due" ? entity.status : "open";
  const order = entity.origin === "api" ? entity.custom_data?.["order"] : undefined;
  return {
    version: `${String(transactionOrder.indexOf(entity.status) + 1).padStart(2, "0")} ${stamp(at)}`,
    fact: {
      kind: "transaction",
      id: entity.id,
      status,
      items: entity.items.flatMap(({ price, quantity }) => (price ? [{ priceId: price.id, quantity }] : [])),
      subscriptionId: entity.subscription_id ?? null,
      orderId: typeof order === "string" ? order : null,
      total: Number(entity.details?.totals?.total ?? 0),
      tax: Number(entity.details?.totals?.tax ?? 0),
      ...reported({ fee: amountOf(entity.details?.totals?.fee) }),
      // Without a currency it matches no order.
      currency: entity.currency_code ?? "",
      forPeriod: periodOrigins.includes(entity.origin),
      billedAt: ms(entity.billed_at),
      periodEnd: ms(entity.billing_period?.ends_at),
    },
  };
}

function subscriptionFact(entity: v.InferOutput<typeof subscriptionSchema>, at: string): VersionedFact | null {
  const status = entity.status === "trialing" ? "active" : entity.status;
  if (status !== "active" && status !== "past_due" && status !== "paused" && status !== "canceled") return null;
  const periodEnd = ms(entity.current_billing_period?.ends_at) ?? ms(entity.next_billed_at);
  const end = status === "canceled" ? ms(entity.canceled_at) : status === "paused" ? (ms(entity.paused_at) ?? periodEnd) : periodEnd;
  const planned = entity.scheduled_change;
  // `created` and `activated` can have the same time. Then the later `updated_at` wins, and then the status that is nearer to the end.
  const weight = ["active", "past_due", "paused", "canceled"].indexOf(status);
  return {
    version: `${stamp(at)} ${stamp(entity.updated_at)} ${weight}`,
    fact: {
      kind: "subscription",
      id: entity.id,
      status,
      transactionId: entity.transaction_id ?? null,
      end,
      trialing: entity.status === "trialing",
      nextCharge: ms(entity.next_billed_at),
      change:
        planned?.action === "cancel" || planned?.action === "pause" || planned?.action === "resume"
          ? { action: planned.action, at: Date.parse(planned.effective_at) }
          : null,
    },
  };
}

function adjustmentFact(entity: v.InferOutput<typeof adjustmentSchema>, at: string): VersionedFact {
  const action =
    entity.action === "refund" || entity.action === "chargeback" || entity.action === "chargeback_reverse" ? entity.action : "other";
  return {
    version: `${stamp(at)} ${entity.status === "pending_approval" ? 0 : 1}`,
    fact: {
      kind: "adjustment",
      id: entity.id,
      transactionId: entity.transaction_id,
      subscriptionId: entity.subscription_id ?? null,
      action,
      full: entity.type === "full",
      approved: entity.status === "approved",
      ...(action === "refund" && entity.status === "rejected" ? { rejected: entity.reason ?? "" } : {}),
      total: entity.totals ? Number(entity.totals.total) : null,
      ...reported({ tax: amountOf(entity.totals?.tax), fee: amountOf(entity.totals?.fee) }),
      at: ms(entity.created_at ?? entity.updated_at),
    },
  };
}

// The SDK converts names to camelCase.
const fromTransaction = (entity: Transaction) =>
  transactionFact(
    {
      id: entity.id,
      status: entity.status,
      origin: entity.origin,
      subscription_id: entity.subscriptionId,
      custom_data: v.parse(v.nullish(v.record(v.string(), v.unknown())), entity.customData),
      items: entity.items.map(({ price, quantity }) => ({ price: price ? { id: price.id } : null, quantity })),
      currency_code: entity.currencyCode,
      details: entity.details?.totals ? { totals: entity.details.totals } : null,
      billing_period: entity.billingPeriod ? { ends_at: entity.billingPeriod.endsAt } : null,
      billed_at: entity.billedAt,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );
const fromSubscription = (entity: Subscription) =>
  subscriptionFact(
    {
      id: entity.id,
      status: entity.status,
      next_billed_at: entity.nextBilledAt,
      paused_at: entity.pausedAt,
      canceled_at: entity.canceledAt,
      scheduled_change: entity.scheduledChange
        ? { action: entity.scheduledChange.action, effective_at: entity.scheduledChange.effectiveAt }
        : null,
      current_billing_period: entity.currentBillingPeriod ? { ends_at: entity.currentBillingPeriod.endsAt } : null,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );
const fromAdjustment = (
  entity: Pick<
    TransactionAdjustment,
    "id" | "action" | "transactionId" | "subscriptionId" | "status" | "reason" | "totals" | "createdAt" | "updatedAt"
  >,
  full: boolean,
) =>
  adjustmentFact(
    {
      id: entity.id,
      action: entity.action,
      type: full ? "full" : null,
      transaction_id: entity.transactionId,
      subscription_id: entity.subscriptionId,
      status: entity.status,
      reason: entity.reason,
      totals: entity.totals,
      created_at: entity.createdAt,
      updated_at: entity.updatedAt,
    },
    entity.updatedAt,
  );

/** A transaction with its refunds and chargebacks. */
export function withAdjustments(transaction: Transaction): readonly VersionedFact[] {
  const total = transaction.details?.totals?.grandTotal;
  return [
    fromTransaction(transaction),
    ...(transaction.adjustments ?? []).map((adjustment) => fromAdjustment(adjustment, adjustment.totals?.total === total)),
  ];
}

/** The answer about a subscription. An unknown status is an error. */
export function known(subscription: Subscription): readonly VersionedFact[] {
  const fact = fromSubscription(subscription);
  if (fact === null) throw new Error(`subscription ${subscription.id} has a status we do not know`);
  return [fact];
}

/** The event in a webhook's body; null for any other body. */
export function eventIn(rawBody: Buffer): SignedEvent | null {
  const payload = rawBody.toString("utf8");
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), payload);
  return parsed.success ? { eventId: parsed.output.event_id, eventType: parsed.output.event_type, payload } : null;
}

export function factsOf(payload: string): readonly VersionedFact[] {
  const event = v.parse(v.pipe(v.string(), v.parseJson(), eventSchema), payload);
  const [entity] = event.event_type.split(".");
  const fact =
    entity === "transaction"
      ? transactionFact(v.parse(transactionSchema, event.data), event.occurred_at)
      : entity === "subscription"
        ? subscriptionFact(v.parse(subscriptionSchema, event.data), event.occurred_at)
        : entity === "adjustment"
          ? adjustmentFact(v.parse(adjustmentSchema, event.data), event.occurred_at)
          : null;
  return fact === null ? [] : [fact];
}
