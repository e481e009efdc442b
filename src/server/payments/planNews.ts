/**
 * What a change at the provider means to whoever has the plan: each change of money or access is told them by mail, whoever made it. A
 * change is the step from one kept state of a thing to a newer one, so each is told once, however often and by whomever it is heard.
 */
import type { MailPlanNews } from "../mail/contents.ts";
import type { AdjustmentFact, Fact, SubscriptionFact, TransactionFact } from "./provider.ts";

/** Within one write: what was known, and what is known now. */
export interface Change {
  readonly before: Fact | null;
  readonly after: Fact;
}

export interface PlanNews {
  readonly news: MailPlanNews | "cancelled";
  /** From when on, or until when; milliseconds since 1970. */
  readonly at?: number | null;
  /** What was charged, or given back; minor units. */
  readonly money?: { readonly total: number | null; readonly tax: number | null };
  /** When it charges next. */
  readonly next?: number | null;
}

function newsOfSubscription(before: SubscriptionFact, after: SubscriptionFact): PlanNews | null {
  const [planned, plannedBefore] = [after.change?.action ?? null, before.change?.action ?? null];
  // What was announced comes about.
  if (after.status === "canceled")
    return before.status === "canceled" || plannedBefore === "cancel"
      ? null
      : before.status === "past_due"
        ? { news: "unpaid" }
        : { news: "cancelled", at: null };
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
 * @param known all facts of the order, as they are now
 * @param agreed the payments for its periods that are what it costs, by their transactions' ids
 * @param changes all that changed with it
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
  // Of a subscription that nothing was known of nothing has changed.
  if (after.kind === "subscription") return before?.kind === "subscription" ? newsOfSubscription(before, after) : null;
  const wasPaid = before?.kind === "transaction" && before.status === "completed";
  // The first payment has its receipt.
  if (after.status !== "completed" || wasPaid || after.id === order.transactionId || !agreed.has(after.id)) return null;
  // Shuffled payments: one that was heard of before counts, whatever its date, so that nothing begins twice.
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
