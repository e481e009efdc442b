/** Turns Paddle Classic's API answers into facts, and reads its ids, times, amounts and states. */
import { minorUnitsOf } from "#core/formats.ts";
import * as v from "valibot";
import { ProviderFailure, type SubscriptionFact, type TransactionFact, type VersionedFact } from "./provider.ts";

export const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
export const transactionSchema = v.object({
  order_id: id,
  checkout_id: id,
  amount: v.string(),
  currency: v.string(),
  status: v.string(),
  created_at: v.string(),
  passthrough: v.nullish(v.string()),
  product_id: id,
  subscription: v.nullish(v.object({ subscription_id: id })),
});
export type Listed = v.InferOutput<typeof transactionSchema>;
export const subscriberSchema = v.object({
  subscription_id: id,
  state: v.string(),
  update_url: v.nullish(v.string()),
  paused_from: v.nullish(v.string()),
  next_payment: v.nullish(v.object({ date: v.string() })),
});
type Subscriber = v.InferOutput<typeof subscriberSchema>;

/** Milliseconds of `2026-11-20 12:00:00` or `2026-11-20`, both UTC; null for none. */
export function time(value: string | null | undefined): number | null {
  const at = value ? Date.parse(`${value}Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
export const minorUnits = (amount: string | number, currency: string) => Math.round(Number(amount) * minorUnitsOf(currency));
export const statusOf = (word: string): SubscriptionFact["status"] | null =>
  word === "trialing" || word === "active"
    ? "active"
    : word === "past_due" || word === "paused"
      ? word
      : word === "deleted" || word === "canceled"
        ? "canceled"
        : null;

/** A payment's version: a payment's own alert outweighs the alert of the subscription that it began. */
export const paidVersion = (weight: 0 | 1, at: string) => `2 ${weight} ${at}`;
/** An answer from this moment is newer than every earlier alert. */
const askedVersion = (now: number) => `${new Date(now).toISOString().slice(0, 19).replace("T", " ")} ~`;

/**
 * The facts in the list of a checkout's transactions. The earliest is the purchase, the others are renewals.
 * @param firstTax tax of the purchase, as the provider writes it; null when it is unknown
 * @param now the time of the request, used as the time of a refund, because the list has none
 */
export function factsOfList(all: readonly Listed[], firstTax: string | null, now: number): VersionedFact[] {
  const [first, ...renewals] = all.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  return [first, ...renewals].flatMap((listed) => {
    if (listed === undefined) return [];
    const isFirst = listed === first;
    const transactionId = isFirst ? listed.checkout_id : listed.order_id;
    const subscriptionId = listed.subscription?.subscription_id ?? null;
    const fact: TransactionFact = {
      kind: "transaction",
      id: transactionId,
      status: "completed",
      items: [{ priceId: listed.product_id, quantity: 1 }],
      subscriptionId,
      orderId: isFirst ? (listed.passthrough ?? null) : null,
      total: minorUnits(listed.amount, listed.currency),
      ...(isFirst && firstTax !== null ? { tax: minorUnits(firstTax, listed.currency) } : { tax: 0, taxUntold: true }),
      currency: listed.currency,
      forPeriod: true,
      billedAt: time(listed.created_at),
      periodEnd: null,
    };
    // An alert also has the period's end, so it stays in force.
    const paid: VersionedFact = { version: paidVersion(0, listed.created_at), fact };
    if (listed.status !== "refunded") return [paid];
    return [
      paid,
      {
        version: listed.created_at,
        fact: {
          kind: "adjustment",
          id: `refund-${listed.order_id}`,
          transactionId,
          subscriptionId,
          action: "refund",
          full: true,
          approved: true,
          total: null,
          at: now,
        },
      },
    ];
  });
}

/** A subscription's state at the time of the request. */
export function subscriptionState(found: Subscriber, now: number, changes: Partial<SubscriptionFact> = {}): VersionedFact {
  const status = statusOf(found.state);
  if (status === null) throw new ProviderFailure("unavailable", `subscription ${found.subscription_id} is ${found.state}`);
  const next = time(found.next_payment?.date);
  const pausedFrom = time(found.paused_from);
  const fact: SubscriptionFact = {
    kind: "subscription",
    id: found.subscription_id,
    status,
    transactionId: null,
    // The provider no longer reports until when a deleted subscription was paid. It is asked only after that time.
    end: status === "canceled" ? now : status === "paused" ? (pausedFrom ?? now) : next,
    trialing: found.state === "trialing",
    nextCharge: status === "active" || status === "past_due" ? next : null,
    change: status === "active" && pausedFrom !== null ? { action: "pause", at: pausedFrom } : null,
  };
  return { version: askedVersion(now), fact: { ...fact, ...changes } };
}
