/** Computes what an order entitles to from all its facts, in whatever sequence they arrived (spec 001 §3, §4). */
import { parsePlan } from "#core/money.ts";
import { periodEnd } from "#core/questionnaire/calendar.ts";
import type { AdjustmentFact, Fact, GiftFact, SubscriptionFact, TransactionFact } from "./provider.ts";

export interface OrderTerms {
  readonly productType: string;
  readonly productPlan: string;
  readonly trialDays: number;
  readonly priceId: string;
  readonly quantity: number;
  readonly transactionId: string | null;
  readonly currency: string;
}

/** By transaction id: whether the payment is what the order costs. */
export type Verdicts = ReadonlyMap<string, boolean>;

export interface EntitlementState {
  readonly status: "active" | "past_due" | "deleted" | "paused";
  /** Milliseconds since 1970; null means none. */
  readonly end: number | null;
}

/** A stored status; null for an unknown one. */
export function entitlementStatusOf(word: string): EntitlementState["status"] | null {
  return word === "active" || word === "past_due" || word === "paused" || word === "deleted" ? word : null;
}

export interface OrderOutcome {
  readonly status: "pending" | "completed" | "cancelled" | "failed";
  /** Every purchase has an end. */
  readonly entitlement: (EntitlementState & { readonly end: number }) | null;
  /** Payments that are not what the order costs. They entitle to nothing, and a person must look at them. */
  readonly mismatches: readonly TransactionFact[];
}

const dayMs = 86_400_000;
/** Largest rounding difference of a discount or tax, minor units. */
const roundedOff = 1;
/** How long a subscription stays usable after its end without news of a renewal: as long as providers resend webhooks. */
const silenceMs = 3 * dayMs;
/** How long a plan stays usable after a failed renewal: time to enter another card. */
const graceMs = 7 * dayMs;

/** When all of a transaction's money had gone back to the buyer or their bank, at once or in parts; null if it has not. */
export function takenBackAt(transaction: TransactionFact, adjustments: readonly AdjustmentFact[]): number | null {
  const own = adjustments
    .filter(({ transactionId, approved }) => approved && transactionId === transaction.id)
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const ofKind = (wanted: AdjustmentFact["action"]) => own.filter(({ action }) => action === wanted);
  let refunded = 0;
  const last = ofKind("refund").find(({ full, total }) => {
    refunded += total ?? 0;
    return full || (refunded > 0 && refunded >= transaction.total - roundedOff);
  });
  const chargebacks = ofKind("chargeback");
  const back = last ?? (chargebacks.length > ofKind("chargeback_reverse").length ? chargebacks.at(-1) : undefined);
  // For facts stored before times were recorded, the entitlement lasts until the end of the paid period.
  return back === undefined ? null : (back.at ?? Number.POSITIVE_INFINITY);
}

/** Whether a transaction has our price and quantity. All its other fields may have been written by the browser. */
function isForOrder(transaction: TransactionFact, order: OrderTerms): boolean {
  return transaction.items.some(({ priceId, quantity }) => priceId === order.priceId && quantity === order.quantity);
}

/** A share of the price that no tax reaches. */
const highestTax = 0.3;

/**
 * Whether a payment has the order's currency and one of its prices; a free trial costs nothing. Tax may be included or come on top. If the
 * provider did not report the tax, it may be any amount.
 * @param prices the possible ones, in minor units: as ordered, as sold now, and each with every coupon that the provider's form accepts
 */
export function isWhatItCosts(order: OrderTerms, prices: readonly number[], payment: TransactionFact): boolean {
  const { currency, total, tax, taxUntold } = payment;
  if (!isForOrder(payment, order)) return false;
  if (currency === null) return true;
  if (currency !== order.currency) return false;
  if (order.trialDays > 0 && payment.id === order.transactionId) return total === 0;
  const isPaid = (due: number) =>
    taxUntold === true
      ? total >= due - roundedOff && total <= due * (1 + highestTax)
      : [total, total - tax].some((paid) => Math.abs(paid - due) <= roundedOff);
  return total > roundedOff && prices.some((price) => isPaid(price * order.quantity));
}

const isTransaction = (fact: Fact): fact is TransactionFact => fact.kind === "transaction";

/** An order's payments: the first, and one for each later period. */
export function paymentsFor(order: OrderTerms, facts: readonly Fact[]): readonly TransactionFact[] {
  return facts
    .filter(isTransaction)
    .filter(
      (transaction) =>
        transaction.status === "completed" &&
        (transaction.id === order.transactionId || (transaction.forPeriod && isForOrder(transaction, order))),
    );
}

/** The reason for an outcome. `until` is the resulting end, without granted days. */
export type Because =
  | { readonly kind: "unpaid"; readonly payment: TransactionFact | null }
  | { readonly kind: "given up"; readonly payment: TransactionFact }
  | { readonly kind: "mismatch"; readonly payment: TransactionFact }
  | { readonly kind: "taken back"; readonly payment: TransactionFact; readonly until: number }
  | { readonly kind: "paid" | "trial"; readonly payment: TransactionFact; readonly until: number; readonly short: boolean }
  | { readonly kind: "overdue" | "paused" | "ended"; readonly payment: TransactionFact; readonly until: number };

/** Granted days follow the paid period, or start when they were granted if it was over by then. They wait while a plan is paused. */
function withGifts(entitlement: NonNullable<OrderOutcome["entitlement"]>, gifts: readonly GiftFact[], now: number) {
  if (gifts.length === 0 || entitlement.status === "paused") return entitlement;
  const end = gifts.toSorted((a, b) => a.at - b.at).reduce((until, { at, days }) => Math.max(until, at) + days * dayMs, entitlement.end);
  // Granted days are not renewed, so after them no renewal is waited for.
  return { status: entitlement.status === "deleted" && end > now ? ("active" as const) : entitlement.status, end };
}

/** @param now needed for days that were granted after a plan's end, because no fact ends those */
export function outcomeOf(order: OrderTerms, facts: readonly Fact[], verdicts: Verdicts, now = 0): OrderOutcome {
  return explainedOutcome(order, facts, verdicts, now).outcome;
}

/**
 * The outcome with its reason.
 * @param facts the order's: its transaction, its subscription with renewals, their adjustments, granted days
 */
export function explainedOutcome(
  order: OrderTerms,
  facts: readonly Fact[],
  verdicts: Verdicts,
  now = 0,
): { readonly outcome: OrderOutcome; readonly because: Because } {
  const transactions = facts.filter(isTransaction);
  const adjustments = facts.filter((fact): fact is AdjustmentFact => fact.kind === "adjustment");
  const subscription = facts.find((fact): fact is SubscriptionFact => fact.kind === "subscription");
  const first = transactions.find(({ id }) => id === order.transactionId);
  if (first === undefined || first.status === "open" || first.status === "past_due")
    return { outcome: { status: "pending", entitlement: null, mismatches: [] }, because: { kind: "unpaid", payment: first ?? null } };
  if (first.status === "canceled")
    return { outcome: { status: "cancelled", entitlement: null, mismatches: [] }, because: { kind: "given up", payment: first } };
  const agreed = ({ id }: TransactionFact) => verdicts.get(id) === true;
  if (!agreed(first))
    return { outcome: { status: "failed", entitlement: null, mismatches: [first] }, because: { kind: "mismatch", payment: first } };
  const payments = paymentsFor(order, facts);
  const mismatches = payments.filter((payment) => !agreed(payment));
  const latest = payments.filter(agreed).reduce((a, b) => ((b.billedAt ?? 0) > (a.billedAt ?? 0) ? b : a), first);
  const start = latest.billedAt ?? 0;
  const { count, unit } = parsePlan(order.productPlan);
  const isTrial = order.trialDays > 0 && latest === first;
  const paidUntil = latest.periodEnd ?? (isTrial ? periodEnd(start, order.trialDays, "day") : periodEnd(start, count, unit));
  const gifts = facts.filter((fact) => fact.kind === "gift");
  const entitledTo = (status: EntitlementState["status"], end: number, because: Because) => ({
    outcome: { status: "completed", entitlement: withGifts({ status, end }, gifts, now), mismatches } satisfies OrderOutcome,
    because,
  });
  const takenBack = takenBackAt(latest, adjustments);
  if (takenBack !== null) {
    const until = Math.min(paidUntil, takenBack);
    return entitledTo("deleted", until, { kind: "taken back", payment: latest, until });
  }
  const paid = { kind: isTrial ? "trial" : "paid", payment: latest, short: false } as const;
  if (order.productType === "onetime" || subscription === undefined) return entitledTo("active", paidUntil, { ...paid, until: paidUntil });
  const status = subscription.status === "canceled" ? "deleted" : subscription.status;
  const end = subscription.end ?? paidUntil;
  // A period begins before it is paid. One that is not paid, or not at the agreed price, does not count.
  if (status === "past_due") {
    const until = Math.min(end, isTrial ? paidUntil : paidUntil + graceMs);
    return entitledTo(status, until, { kind: "overdue", payment: latest, until });
  }
  const isShort = mismatches.some(({ billedAt }) => (billedAt ?? 0) > start);
  const until = isShort ? Math.min(end, paidUntil) : end;
  if (status === "active") return entitledTo(status, until, { ...paid, until, short: isShort });
  return entitledTo(status, until, { kind: status === "paused" ? "paused" : "ended", payment: latest, until });
}

/** The state at a time: what has ended is over, even if no provider has said so. */
export function entitlementNow(state: EntitlementState, productType: string, now: number): EntitlementState {
  if (state.end === null || state.status === "paused") return state;
  const over = state.end + (productType === "onetime" ? 0 : silenceMs) <= now;
  return over ? { ...state, status: "deleted" } : state;
}

/** An entitlement's end where the contract ended earlier (earlyEnds.ts): the provider may report the end of the paid term. */
export const withEarlyEnd = (end: number | null, early: number | null): number | null =>
  end === null || early === null ? end : Math.min(end, early);

/** Usable: it has an end, and its status is active or past_due (spec 001 §4). */
export function isUsable({ status, end }: EntitlementState): boolean {
  return end !== null && (status === "active" || status === "past_due");
}
