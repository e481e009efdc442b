/**
 * The interface of a payment provider: it opens a checkout for our order, and reports facts about transactions, subscriptions and
 * adjustments. What follows from the facts is decided elsewhere, in the same way for all providers.
 */
import type { Locale } from "#core/locales.ts";
import type { PaymentProviderName, SubscriptionAction } from "#core/products.ts";
import type { IncomingHttpHeaders } from "node:http";
import * as v from "valibot";

const time = v.nullable(v.number());

const transactionSchema = v.object({
  kind: v.literal("transaction"),
  id: v.string(),
  status: v.picklist(["open", "completed", "past_due", "canceled"]),
  items: v.array(v.object({ priceId: v.string(), quantity: v.number() })),
  subscriptionId: v.nullable(v.string()),
  /** The id of our order, written when we created it; null for transactions that others created. Only used to find an order. */
  orderId: v.nullable(v.string()),
  /** Minor units, as charged now: less discounts, with tax, before any credit of the buyer. */
  total: v.number(),
  /** The tax included in it. */
  tax: v.optional(v.number(), 0),
  /** The provider did not report the tax: it may be any amount, whatever `tax` says. */
  taxUntold: v.optional(v.boolean()),
  /** The provider's fee; null when it was not reported. */
  fee: v.optional(v.nullable(v.number())),
  /** Null in facts that were stored before amounts were compared. */
  currency: v.optional(v.nullable(v.string()), null),
  /** It pays for the plan or one of its periods, and not, for example, for changing a card. */
  forPeriod: v.optional(v.boolean(), true),
  /** Milliseconds since 1970. */
  billedAt: time,
  periodEnd: time,
});
const subscriptionSchema = v.object({
  kind: v.literal("subscription"),
  id: v.string(),
  status: v.picklist(["active", "past_due", "paused", "canceled"]),
  /** Its first transaction, if the provider reports it. */
  transactionId: v.nullable(v.string()),
  /** The end of the paid period, or the time of the pause or cancellation. */
  end: time,
  trialing: v.optional(v.boolean(), false),
  /** The time of the next charge; null without one. */
  nextCharge: v.optional(time, null),
  /** A requested change that takes effect later. */
  change: v.optional(v.nullable(v.object({ action: v.picklist(["cancel", "pause", "resume"]), at: v.number() })), null),
});
const adjustmentSchema = v.object({
  kind: v.literal("adjustment"),
  id: v.string(),
  transactionId: v.string(),
  subscriptionId: v.nullable(v.string()),
  action: v.picklist(["refund", "chargeback", "chargeback_reverse", "other"]),
  /** It concerns all of the payment at once. */
  full: v.boolean(),
  approved: v.boolean(),
  /** Of a refund that the provider has rejected: the reason that was given for it. */
  rejected: v.optional(v.string()),
  /** The amount, minor units; null when it was not reported. */
  total: v.optional(v.nullable(v.number()), null),
  /** The tax included in it, and the part of the fee that the provider returns; null when they were not reported. */
  tax: v.optional(v.nullable(v.number())),
  fee: v.optional(v.nullable(v.number())),
  /** When it happened; null in facts that were stored before this was recorded. */
  at: v.optional(time, null),
});
/** Days that an operator granted to an order's owner. This fact is ours, not a provider's. */
const giftSchema = v.object({
  kind: v.literal("gift"),
  id: v.string(),
  transactionId: v.string(),
  subscriptionId: v.nullable(v.string()),
  days: v.number(),
  at: v.number(),
});
const factSchema = v.variant("kind", [transactionSchema, subscriptionSchema, adjustmentSchema, giftSchema]);
export type TransactionFact = v.InferOutput<typeof transactionSchema>;
export type SubscriptionFact = v.InferOutput<typeof subscriptionSchema>;
export type AdjustmentFact = v.InferOutput<typeof adjustmentSchema>;
export type GiftFact = v.InferOutput<typeof giftSchema>;
export type Fact = v.InferOutput<typeof factSchema>;
/** A fact in the format of the column `provider_facts.fact`. */
export const storedFactSchema = v.pipe(v.string(), v.parseJson(), factSchema);

/** The amounts that were reported, without the others. */
export function reported<K extends string>(amounts: Readonly<Record<K, number | null>>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== null)) as Partial<Record<K, number>>;
}

/** A fact with its version. Versions of the same thing are strings that sort from old to new. */
export interface VersionedFact {
  readonly version: string;
  readonly fact: Fact;
}

export interface SignedEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** The body as received. */
  readonly payload: string;
}

export interface CheckoutOrder {
  readonly id: string;
  readonly priceId: string;
  readonly quantity: number;
  readonly couponCode: string | null;
  /** Where the provider's hosted page leads to after payment; null when that page is not requested. */
  readonly returnUrl: string | null;
}

/** What is known of an order's payment, for asking the provider about it. */
export interface OrderReference {
  readonly id: string;
  readonly priceId: string;
  readonly transactionId: string | null;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface OpenCheckout {
  /** Null if the provider has none before payment. */
  readonly transactionId: string | null;
  /** The provider's hosted page for it. */
  readonly hostedUrl: string | null;
}

/** A part of a payment that is refunded once. */
export interface RefundPart {
  /** Minor units, tax included. */
  readonly amount: number;
  /** Identifies it in the provider's records; null when a payment has at most one part of this amount refunded. */
  readonly id: string | null;
}

/** A refund's reason in the provider's records. It contains a part's id. */
export const refundMark = (reason: string, partId: string | null): string => (partId === null ? reason : `${reason} ${partId}`);

/** The provider did not answer, gave an invalid answer, or refused. */
export class ProviderFailure extends Error {
  readonly kind: "timeout" | "unavailable" | "refused";
  constructor(kind: "timeout" | "unavailable" | "refused", message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ProviderFailure";
    this.kind = kind;
  }
}

/** Every call may throw ProviderFailure. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** Whether a cancellation at the end of the period can be undone. */
  readonly keepsCancelled: boolean;
  readonly createCheckout: (order: CheckoutOrder) => Promise<OpenCheckout>;
  /** The open checkout that was created for an order at or after a time, for when the answer to its creation was lost. */
  readonly findCheckout: (orderId: string, since: number) => Promise<OpenCheckout | null>;
  /** The URL of the provider's hosted page for a checkout. If the provider supports it, with the language and the return address. */
  readonly hostedLink: (hostedUrl: string, to: { readonly language: Locale; readonly returnUrl: string }) => string;
  /**
   * Makes an unpaid checkout unpayable; false when it is too late or the provider never can. True also when the provider cannot yet and nothing is paid:
   * if it is paid later beside another, the later payment is refunded.
   */
  readonly cancelCheckout: (transactionId: string) => Promise<boolean>;
  /** The facts about an order's payment: its transaction with its adjustments. Empty when it is not paid. */
  readonly readOrder: (order: OrderReference) => Promise<readonly VersionedFact[]>;
  readonly readSubscription: (subscriptionId: string) => Promise<readonly VersionedFact[]>;
  readonly changeSubscription: (subscriptionId: string, action: SubscriptionAction) => Promise<readonly VersionedFact[]>;
  /** Ends it now, without another charge. Ending it again is no failure. */
  readonly endSubscription: (subscriptionId: string) => Promise<void>;
  /**
   * The page where the owner can change the card.
   * @param provenAddress an address whose mailbox the owner has proven to read; null without one. Only the buyer with this address may be let into what the
   * provider has of them beside the subscription
   */
  readonly cardPage: (subscriptionId: string, provenAddress: string | null) => Promise<string>;
  /** Whether each refunded part can be told from the others. Otherwise a payment is refunded in one part and the rest. */
  readonly knowsParts: boolean;
  /** Refunds a part, or all that is left. Refunding it again is no failure. */
  readonly refund: (transactionId: string, reason: string, part?: RefundPart) => Promise<void>;
  /** Checks a webhook's signature and age; null when it is not from the provider. */
  readonly verify: (rawBody: Buffer, headers: IncomingHttpHeaders, now: number) => SignedEvent | null;
  /** The facts in an event. Throws on a payload of another shape. */
  readonly factsOf: (payload: string) => readonly VersionedFact[];
  /** The provider's payments and refunds since a time, for comparing them with the ledger. `priceIds` are all that were ever sold. */
  readonly listMoney: (since: number, priceIds: readonly string[]) => Promise<readonly VersionedFact[]>;
  /** The provider's price of each id, for `npm run paddle -- check`; null without one. */
  readonly listedPrices: (priceIds: readonly string[]) => Promise<ReadonlyMap<string, ListedPrice>>;
}

/** A price as the provider lists it. */
export interface ListedPrice {
  readonly amount: number;
  readonly currency: string;
  /** `3M`, `1W`; null for a one-time purchase. */
  readonly plan: string | null;
  readonly trialDays: number;
}
