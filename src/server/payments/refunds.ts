/** Refunds by operators: how much of a payment can be refunded, and the duty that refunds it once. */
import * as v from "valibot";
import type { Queries } from "../store/schema.ts";
import { addDuty } from "./duties.ts";
import type { Change } from "./planNews.ts";
import { type AdjustmentFact, type PaymentProvider, refundMark, storedFactSchema, type TransactionFact } from "./provider.ts";

export interface RefundRequest {
  readonly accountUuid: string;
  /** The first payment or a renewal. */
  readonly transactionId: string;
  /** Minor units; null for everything that is left. */
  readonly amount: number | null;
  /** Chosen by the caller: a second request with the same id changes nothing. */
  readonly id: string;
  /** Ends the subscription as well. */
  readonly andEnd: boolean;
}
/** `known`: this id was requested before. `parts`: this provider refunds one part only, and then the rest. */
export type RefundAnswer = "begun" | "known" | "no such payment" | "too much" | "parts";

interface Paid {
  readonly provider: string;
  readonly orderId: string;
  readonly subscriptionId: string | null;
  readonly payment: TransactionFact;
  readonly adjustments: readonly AdjustmentFact[];
}

/** Within this time the provider reports what it refunded. */
const toldWithinMs = 60 * 60_000;
/** The reason in the provider's records. The operator's own words are in our audit. */
const reason = "given back by support";
const rejectedByProvider = "The provider rejected this refund: nothing went back.";

/** A completed payment of an account's order; null when there is none. */
async function paidBy(queries: Queries, { accountUuid, transactionId }: RefundRequest): Promise<Paid | null> {
  const rows = await queries
    .selectFrom("provider_facts")
    .select(["payment_provider", "fact", "subscription_id"])
    .where("transaction_id", "=", transactionId)
    .execute();
  const facts = rows.map((row) => ({
    provider: row.payment_provider,
    subscriptionId: row.subscription_id,
    fact: v.parse(storedFactSchema, row.fact),
  }));
  for (const { provider, subscriptionId, fact: payment } of facts) {
    if (payment.kind !== "transaction" || payment.status !== "completed" || payment.id !== transactionId) continue;
    const order = await queries
      .selectFrom("orders")
      .select(["id", "subscription_id"])
      .where("account_uuid", "=", accountUuid)
      .where("payment_provider", "=", provider)
      .where((fields) => fields.or([fields("transaction_id", "=", transactionId), fields("subscription_id", "=", subscriptionId)]))
      .executeTakeFirst();
    if (order === undefined) continue;
    const adjustments = facts.flatMap(({ provider: of, fact }) => (of === provider && fact.kind === "adjustment" ? [fact] : []));
    return { provider, orderId: order.id, subscriptionId: order.subscription_id, payment, adjustments };
  }
  return null;
}

/** The part of a payment that was not returned, by the provider's facts. A chargeback takes all of it. */
export function leftOf(payment: TransactionFact, adjustments: readonly AdjustmentFact[]): number {
  const own = adjustments.filter(({ transactionId, approved }) => approved && transactionId === payment.id);
  const chargedBack =
    own.filter(({ action }) => action === "chargeback").length > own.filter(({ action }) => action === "chargeback_reverse").length;
  if (chargedBack || own.some(({ action, full }) => action === "refund" && full)) return 0;
  return own.filter(({ action }) => action === "refund").reduce((left, { total }) => left - (total ?? 0), payment.total);
}

/** The duties to refund a payment or a part of it. Two queries in one, each by its index: for `or`, SQLite reads all duties of the provider. */
function dutiesToRefund(queries: Queries, provider: string, transactionId: string) {
  const ofProvider = queries.selectFrom("payment_duties").selectAll().where("payment_provider", "=", provider);
  return ofProvider
    .where("transaction_id", "=", transactionId)
    .unionAll(ofProvider.where("kind", "in", ["refund", "refund-part"]).where("subject", "=", transactionId))
    .execute();
}

/** Call it within a write that has locked the account. */
export async function beginRefund(
  queries: Queries,
  request: RefundRequest,
  providerOf: (name: string) => PaymentProvider | null,
  now: number,
): Promise<RefundAnswer> {
  const paid = await paidBy(queries, request);
  const provider = paid === null ? null : providerOf(paid.provider);
  if (paid === null || provider === null) return "no such payment";
  const asked = await dutiesToRefund(queries, paid.provider, request.transactionId);
  if (asked.some(({ subject, kind }) => kind === "refund-asked" && subject === request.id)) return "known";
  const alive = asked.filter(({ done_at: done, next_attempt_at: next }) => done !== null || next !== null);
  const isRecent = (done: number | null) => done !== null && done > now - toldWithinMs;
  const wholeIsUnderWay = asked.some(
    ({ kind, next_attempt_at: next, done_at: done }) => kind !== "refund-asked" && (next !== null || isRecent(done)),
  );
  // Parts that the provider has not confirmed yet count as refunded.
  const parts = alive.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const left = wholeIsUnderWay ? 0 : Math.min(leftOf(paid.payment, paid.adjustments), paid.payment.total - parts);
  const amount = request.amount ?? left;
  if (amount <= 0 || amount > left) return "too much";
  const duty = { provider: paid.provider, orderId: paid.orderId, reason, now };
  if (amount === left) await askWhole(queries, duty, request.transactionId);
  else {
    const partBefore = asked.some(({ kind }) => kind !== "refund") || left < paid.payment.total;
    if (partBefore && !provider.knowsParts) return "parts";
    await addDuty(queries, { ...duty, kind: "refund-asked", subject: request.id, part: { transactionId: request.transactionId, amount } });
  }
  if (request.andEnd && paid.subscriptionId !== null)
    await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: paid.subscriptionId });
  return "begun";
}

/** Requests everything that is left, also after an earlier duty was given up or rejected. */
async function askWhole(
  queries: Queries,
  duty: { readonly provider: string; readonly orderId: string; readonly reason: string; readonly now: number },
  subject: string,
): Promise<void> {
  await addDuty(queries, { ...duty, kind: "refund", subject });
  await queries
    .updateTable("payment_duties")
    .set({ next_attempt_at: duty.now, done_at: null, attempts: 0, error: null })
    .where("payment_provider", "=", duty.provider)
    .where("kind", "=", "refund")
    .where("subject", "=", subject)
    .where("next_attempt_at", "is", null)
    .execute();
}

/**
 * Gives up the duty whose refund the provider has rejected after taking the request: nothing went back, so a person has to look. `attempts` changes,
 * so that a process that is still making the request does not mark the duty as done afterwards.
 */
export async function noteRejection(queries: Queries, provider: string, { before, after }: Change): Promise<void> {
  if (after.kind !== "adjustment" || after.rejected === undefined) return;
  // Told again: somebody may have tried again since.
  if (before?.kind === "adjustment" && before.rejected !== undefined) return;
  const { transactionId, rejected } = after;
  for (const { kind, subject, reason: given } of await dutiesToRefund(queries, provider, transactionId))
    if (refundMark(given, kind === "refund-asked" ? subject : null) === rejected)
      await queries
        .updateTable("payment_duties")
        .set((row) => ({ done_at: null, next_attempt_at: null, attempts: row("attempts", "+", 1), error: rejectedByProvider }))
        .where("payment_provider", "=", provider)
        .where("kind", "=", kind)
        .where("subject", "=", subject)
        .execute();
}
