/**
 * What a change at the provider means to the plan's owner. Each change of money or access is told by mail, whoever made it. A change is the
 * difference between a stored fact and a newer one, so each is told once, however often it is reported.
 */
import type { MailPlanNews } from "../mail/contents.ts";
import type { AdjustmentFact, Fact, SubscriptionFact, TransactionFact } from "./provider.ts";

/** A fact before and after one write. */
export interface Change {
  readonly before: Fact | null;
  readonly after: Fact;
}

export interface PlanNews {
  readonly news: MailPlanNews | "cancelled";
  /** When it begins or ends, milliseconds since 1970. */
  readonly at?: number | null;
  /** The amount charged or refunded, minor units. */
  readonly money?: { readonly total: number | null; readonly tax: number | null };
  /** The next charge. */
  readonly next?: number | null;
  /** Whether the plan had ended before this refund. */
  readonly over?: boolean;
  /** Whether it ended before the day that was planned. */
  readonly sooner?: true;
}

const day = 24 * 60 * 60 * 1000;
/** Whether a planned end came at least a day before its time, as after a withdrawal. */
const endedSooner = ({ change }: SubscriptionFact, { end }: SubscriptionFact) =>
  change?.action === "cancel" && end !== null && end <= change.at - day;

function newsOfEnd(before: SubscriptionFact, after: SubscriptionFact): PlanNews | null {
  if (before.status === "canceled") return null;
  // The owner was told another last day.
  if (endedSooner(before, after)) return { news: "cancelled", at: null, sooner: true };
  // A scheduled change takes effect.
  if (before.change?.action === "cancel") return null;
  return before.status === "past_due" ? { news: "unpaid" } : { news: "cancelled", at: null };
}

function newsOfSubscription(before: SubscriptionFact, after: SubscriptionFact): PlanNews | null {
  const [planned, plannedBefore] = [after.change?.action ?? null, before.change?.action ?? null];
  if (after.status === "canceled") return newsOfEnd(before, after);
  // A scheduled change takes effect.
  if (after.status === "paused") return before.status === "paused" || plannedBefore === "pause" ? null : { news: "paused" };
  if (planned === "cancel" && plannedBefore !== "cancel") return { news: "cancelled", at: after.change?.at ?? null };
  if (planned === "pause" && plannedBefore !== "pause") return { news: "pausing", at: after.change?.at ?? null };
  if (after.status === "past_due") return before.status === "past_due" ? null : { news: "failed" };
  if (before.status === "paused") return { news: "resumed", next: after.nextCharge };
  return planned === null && (plannedBefore === "cancel" || plannedBefore === "pause") ? { news: "kept", next: after.nextCharge } : null;
}

function newsOfPayment(
  payment: TransactionFact,
  { earlier, wasOverdue, trialDays }: { readonly earlier: number; readonly wasOverdue: boolean; readonly trialDays: number },
): PlanNews {
  return {
    news: wasOverdue ? "recovered" : earlier === 1 && trialDays > 0 ? "begun" : "renewed",
    money: { total: payment.total, tax: payment.taxUntold === true ? null : payment.tax },
    next: payment.periodEnd,
  };
}

function newsOfAdjustment(before: AdjustmentFact | null, after: AdjustmentFact, payments: readonly TransactionFact[]): PlanNews | null {
  if (after.action !== "refund" || !after.approved || before?.approved === true) return null;
  const whole = payments.find(({ id }) => id === after.transactionId)?.total ?? null;
  return { news: after.full ? "refunded" : "partRefunded", money: { total: after.total ?? (after.full ? whole : null), tax: null } };
}

/**
 * @param known all current facts of the order
 * @param agreed ids of the transactions that pay for its periods and are what it costs
 * @param changes all changes of the same write
 */
export function newsOf(
  { before, after }: Change,
  order: { readonly transactionId: string | null; readonly trialDays: number },
  known: readonly Fact[],
  agreed: ReadonlySet<string>,
  changes: readonly Change[],
): PlanNews | null {
  const payments = known.filter((fact) => fact.kind === "transaction");
  if (after.kind === "gift") return null;
  if (after.kind === "adjustment") return newsOfAdjustment(before?.kind === "adjustment" ? before : null, after, payments);
  // The first fact about a subscription is not a change.
  if (after.kind === "subscription") return before?.kind === "subscription" ? newsOfSubscription(before, after) : null;
  const wasPaid = before?.kind === "transaction" && before.status === "completed";
  // The first payment has a receipt instead.
  if (after.status !== "completed" || wasPaid || after.id === order.transactionId || !agreed.has(after.id)) return null;
  // Payments may arrive in any sequence. One that was known before counts as earlier, whatever its date: otherwise a later payment could
  // be announced as the first one again.
  const isNew = (id: string) =>
    changes.some((change) => change.after.id === id && !(change.before?.kind === "transaction" && change.before.status === "completed"));
  const earlier = payments.filter(
    ({ id, billedAt }) => agreed.has(id) && id !== after.id && (!isNew(id) || (billedAt ?? 0) <= (after.billedAt ?? 0)),
  ).length;
  const subscriptions = [...known, ...changes.map((change) => change.before)].filter((fact) => fact?.kind === "subscription");
  return newsOfPayment(after, {
    earlier,
    wasOverdue: subscriptions.some(({ status }) => status === "past_due"),
    trialDays: order.trialDays,
  });
}
