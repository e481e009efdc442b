/**
 * Money entries: one row for each payment, refund, chargeback and reversal. All sums are computed from these rows alone. Each new fact
 * rewrites the rows of its transaction from all that transaction's facts, so neither sequence nor repetition of facts matters.
 */
import { dayOf } from "#core/questionnaire/calendar.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as v from "valibot";
import type { MoneyEntriesTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import type { Change } from "./planNews.ts";
import { type AdjustmentFact, type Fact, storedFactSchema, type TransactionFact } from "./provider.ts";

const kinds = { refund: "refund", chargeback: "chargeback", chargeback_reverse: "reversal" } as const;
const batch = 200;

/** Rewrites the rows of the transaction that a fact is about, within the caller's write. */
export async function book(
  queries: Queries,
  { provider }: Pick<LedgerParts, "provider">,
  fact: Fact,
  orderId: string | null,
): Promise<void> {
  if (fact.kind !== "subscription")
    await bookTransaction(queries, provider.name, fact.kind === "transaction" ? fact.id : fact.transactionId, orderId);
  // A renewal may be booked before it is known which order its subscription belongs to.
  const subscriptionId = fact.kind === "subscription" ? fact.id : fact.subscriptionId;
  if (orderId !== null && subscriptionId !== null)
    await queries
      .updateTable("money_entries")
      .set({ order_id: orderId })
      .where("payment_provider", "=", provider.name)
      .where("subscription_id", "=", subscriptionId)
      .where("order_id", "is", null)
      .execute();
}

async function bookTransaction(queries: Queries, provider: string, transactionId: string, orderId: string | null): Promise<void> {
  const stored = await queries
    .selectFrom("provider_facts")
    .select("fact")
    .where("payment_provider", "=", provider)
    .where("transaction_id", "=", transactionId)
    .execute();
  const facts = stored.map(({ fact }) => v.parse(storedFactSchema, fact));
  const transaction = facts.find((fact) => fact.kind === "transaction");
  if (transaction === undefined) return;
  const rows = entriesOf(
    transaction,
    facts.filter((fact) => fact.kind === "adjustment"),
  );
  const ofOrder = orderId ?? transaction.orderId;
  for (const row of rows)
    await queries
      .insertInto("money_entries")
      .values({ ...row, payment_provider: provider, order_id: ofOrder })
      .onConflict((conflict) =>
        conflict.columns(["payment_provider", "id"]).doUpdateSet({ ...row, ...(ofOrder === null ? {} : { order_id: ofOrder }) }),
      )
      .execute();
}

export type Entry = Omit<MoneyEntriesTable, "payment_provider" | "order_id">;

/** The entries of a transaction and its adjustments; none if it was not paid. */
export function entriesOf(transaction: TransactionFact, adjustments: readonly AdjustmentFact[]): readonly Entry[] {
  // Facts that were stored before amounts were compared have no currency, so they cannot be summed.
  if (transaction.status !== "completed" || !transaction.currency) return [];
  const paid: Entry = {
    id: transaction.id,
    kind: "payment",
    transaction_id: transaction.id,
    subscription_id: transaction.subscriptionId,
    for_period: transaction.forPeriod ? 1 : 0,
    ...momentOf(transaction.billedAt ?? 0),
    currency: transaction.currency,
    gross: transaction.total,
    tax: transaction.taxUntold === true ? null : transaction.tax,
    fee: transaction.fee ?? null,
    period_end: transaction.periodEnd,
  };
  const left = { refund: transaction.total, chargeback: transaction.total, reversal: 0 };
  const back = adjustments
    .toSorted(inTime)
    .flatMap((adjustment) =>
      adjustment.approved && adjustment.action !== "other" ? [{ adjustment, kind: kinds[adjustment.action] }] : [],
    );
  return [
    paid,
    ...back.map(({ adjustment, kind }): Entry => {
      // If the provider reports no amount, it is all that is left.
      const gross = adjustment.total ?? Math.max(0, left[kind]);
      left[kind] -= gross;
      if (kind === "chargeback") left.reversal += gross;
      return {
        ...paid,
        id: adjustment.id,
        kind,
        ...momentOf(adjustment.at ?? transaction.billedAt ?? 0),
        gross,
        tax: adjustment.tax ?? (adjustment.full && gross === transaction.total ? paid.tax : null),
        fee: adjustment.fee ?? null,
        period_end: null,
      };
    }),
  ];
}

const inTime = (a: AdjustmentFact, b: AdjustmentFact) => (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1);
const momentOf = (at: number) => ({ at, day: dayOf(at) });

/** Records when a plan failed to renew, or was cancelled, kept or paused, within the caller's write. */
export async function noteMoment(queries: Queries, { provider, world }: LedgerParts, { before, after }: Change): Promise<void> {
  const kind = momentKindOf(before, after);
  const subscriptionId = after.kind === "subscription" ? after.id : after.subscriptionId;
  if (kind === null || subscriptionId === null) return;
  await queries
    .insertInto("plan_moments")
    .values({ payment_provider: provider.name, subscription_id: subscriptionId, kind, at: world.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function momentKindOf(before: Fact | null, after: Fact): "failed" | "cancelled" | "kept" | "paused" | null {
  if (after.kind === "adjustment" || after.kind === "gift") return null;
  const was = before?.kind === after.kind ? before : null;
  if (after.status === "past_due") return was?.status === "past_due" ? null : "failed";
  if (after.kind === "transaction") return null;
  const isEnding = (fact: Fact | null) => fact?.kind === "subscription" && (fact.status === "canceled" || fact.change?.action === "cancel");
  if (isEnding(after)) return isEnding(was) ? null : "cancelled";
  if (isEnding(was)) return "kept";
  return after.status === "paused" && was?.status !== "paused" ? "paused" : null;
}

/** Whether a stored fact is a completed transaction, found out without parsing it: most checkouts are never paid. */
const isPaid = (fact: string) => fact.includes('"kind":"transaction"') && fact.includes('"status":"completed"');

/**
 * Books payments that are older than the entries, or that a process of an older release has stored. It runs at each start and reads all facts of a
 * provider, in small pieces, so that others are not delayed.
 */
export async function bookEarlier(store: Store, provider: string, stopped: () => boolean): Promise<void> {
  for (let after = ""; !stopped();) {
    const rows = await store.read
      .selectFrom("provider_facts")
      .select(["id", "fact"])
      .where("payment_provider", "=", provider)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batch)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    const missing = await withoutEntry(
      store.read,
      provider,
      rows.filter(({ fact }) => isPaid(fact)).map(({ id }) => id),
    );
    if (missing.length > 0) await store.write((queries) => bookAll(queries, provider, missing));
    after = last.id;
    await nextTurn();
  }
}

/** The transactions that have no entry. */
async function withoutEntry(queries: Queries, provider: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const booked = await queries
    .selectFrom("money_entries")
    .select("id")
    .where("payment_provider", "=", provider)
    .where("id", "in", ids)
    .execute();
  const known = new Set(booked.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Books transactions with their orders, within the caller's write. */
async function bookAll(queries: Queries, provider: string, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) {
    // Locks the fact, so that no other process stores a newer one meanwhile. All lock them in the same order (facts.ts).
    const fact = await queries
      .updateTable("provider_facts")
      .set((row) => ({ version: row.ref("version") }))
      .where("payment_provider", "=", provider)
      .where("id", "=", id)
      .returning("subscription_id")
      .executeTakeFirst();
    const order = await queries
      .selectFrom("orders")
      .select("id")
      .where("payment_provider", "=", provider)
      .where(({ or, eb }) => or([eb("transaction_id", "=", id), eb("subscription_id", "=", fact?.subscription_id ?? null)]))
      .executeTakeFirst();
    await bookTransaction(queries, provider, id, order?.id ?? null);
  }
}
