/**
 * Where the law demands it (§ 309 no. 9 BGB), a subscription can be ended month by month after its first term. We end the contract with the
 * current month and refund what was paid beyond it; the provider only stops charging at the end of the term (decision 131).
 */
import { contractHasDuty } from "#core/duties.ts";
import type { Locale } from "#core/locales.ts";
import { parsePlan } from "#core/money.ts";
import { periodEnd } from "#core/questionnaire/calendar.ts";
import * as v from "valibot";
import type { World } from "../base/world.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { addDuty } from "./duties.ts";
import { paymentsOf, termsOf } from "./orderFacts.ts";
import { storedFactSchema } from "./provider.ts";
import { leftOf } from "./refunds.ts";

type Order = Pick<OrdersTable, "id" | "payment_provider" | "product_plan" | "subscription_id" | "transaction_id" | "country">;

export interface EarlyEnd {
  readonly endsAt: number;
  /** The amount to refund, in minor units. */
  readonly back: number;
}

/** Null when the term cannot be shortened: no such law, the first term, or the last month of a term. */
export async function earlyEnd(
  queries: Queries,
  order: Order,
  locale: Locale,
  now: number,
): Promise<(EarlyEnd & { readonly transactionId: string }) | null> {
  const { count: months, unit } = parsePlan(order.product_plan);
  if (order.subscription_id === null || unit !== "month" || months < 2) return null;
  if (!contractHasDuty("renewalAfterTerm", { locale, country: order.country })) return null;
  const { payments, adjustments } = await paymentsOf(queries, order);
  const terms = termsOf(payments);
  const latest = terms.at(-1);
  if (terms.length < 2 || latest?.billedAt == null) return null;
  const kept = leftOf(latest, adjustments);
  if (kept <= 0) return null;
  for (let used = 1; used < months; used += 1) {
    const endsAt = periodEnd(latest.billedAt, used, "month");
    if (endsAt > now) return { endsAt, back: Math.floor((kept * (months - used)) / months), transactionId: latest.id };
  }
  return null;
}

/** Plans the early end if the law grants one, within the write that stores a cancellation. */
export async function planEarlyEnd(queries: Queries, world: World, order: Order, locale: Locale): Promise<EarlyEnd | null> {
  const end = await earlyEnd(queries, order, locale, world.now());
  if (end === null) return null;
  const row = { ends_at: end.endsAt, transaction_id: end.transactionId, back: end.back, done_at: null };
  await queries
    .insertInto("contract_ends")
    .values({ order_id: order.id, ...row })
    .onConflict((conflict) => conflict.column("order_id").doUpdateSet(row))
    .execute();
  return end;
}

/** Deletes a planned early end, because the subscription continues. */
export async function forgetEarlyEnd(queries: Queries, orderId: string): Promise<void> {
  await queries.deleteFrom("contract_ends").where("order_id", "=", orderId).where("done_at", "is", null).execute();
}

/** Adds the provider's duties for the early ends that are due. */
export async function carryOutEarlyEnds(store: Store, world: World): Promise<void> {
  const now = world.now();
  const due = await store.read
    .selectFrom("contract_ends")
    .innerJoin("orders", "orders.id", "contract_ends.order_id")
    .selectAll("orders")
    .select(["contract_ends.transaction_id as term", "contract_ends.back"])
    .where("contract_ends.done_at", "is", null)
    .where("contract_ends.ends_at", "<=", now)
    .limit(50)
    .execute();
  for (const { term, back: promised, ...order } of due)
    await store.write(async (queries) => {
      const { id, payment_provider: provider, subscription_id: subscription } = order;
      const ended = await queries
        .updateTable("contract_ends")
        // An operator may have returned a part since. Settled once, before the duty: a provider recognises a repeated request by its amount.
        .set({ done_at: now, back: Math.min(promised, await leftOfTerm(queries, order, term)) })
        .where("order_id", "=", id)
        .where("done_at", "is", null)
        .executeTakeFirst();
      if (ended.numUpdatedRows === 0n || subscription === null) return;
      const duty = { provider, orderId: id, reason: "cancelled after the first term", now };
      await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: subscription });
      await addDuty(queries, { ...duty, kind: "refund-part", subject: term });
    });
}

/** What has not been returned of a term's payment, minor units. */
async function leftOfTerm(queries: Queries, order: Order, transactionId: string): Promise<number> {
  const { payments, adjustments } = await paymentsOf(queries, order);
  const payment = payments.find(({ id }) => id === transactionId);
  return payment === undefined ? 0 : leftOf(payment, adjustments);
}

/** Whether a part of a payment was returned before a time. */
export async function hadPartReturned(queries: Queries, provider: string, transactionId: string, before: number): Promise<boolean> {
  const facts = await queries
    .selectFrom("provider_facts")
    .select("fact")
    .where("payment_provider", "=", provider)
    .where("transaction_id", "=", transactionId)
    .execute();
  return facts
    .map(({ fact }) => v.parse(storedFactSchema, fact))
    .some((fact) => fact.kind === "adjustment" && fact.action === "refund" && fact.approved && (fact.at ?? 0) < before);
}

/** The part of a term's payment to refund; null without an early end. */
export async function partToGiveBack(queries: Queries, orderId: string | null): Promise<number | null> {
  const row = await queries.selectFrom("contract_ends").select("back").where("order_id", "=", orderId).executeTakeFirst();
  return row?.back ?? null;
}
