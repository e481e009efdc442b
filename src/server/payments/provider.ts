/**
 * What a payment provider is to us, whichever it is: it opens a checkout for an order of ours, and it tells facts about
 * transactions, subscriptions and adjustments. What follows from the facts is decided elsewhere, the same for all.
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
  /** What we wrote to it when we made it; null for transactions that others made. Only ever used to find an order. */
  orderId: v.nullable(v.string()),
  /** Minor units, as charged now: discounts taken off, tax added, whatever credit the buyer has. */
  total: v.number(),
  /** The part of it that is tax. */
  tax: v.optional(v.number(), 0),
  /** Nobody has told the tax: it may be anything, whatever stands above. */
  taxUntold: v.optional(v.boolean()),
  /** What the provider keeps of it; null where it has not told. */
  fee: v.optional(v.nullable(v.number())),
  /** Null in facts that were kept before amounts were compared. */
  currency: v.optional(v.nullable(v.string()), null),
  /** It pays for the plan or a period of it; not, say, for leaving another card. */
  forPeriod: v.optional(v.boolean(), true),
  /** Milliseconds since 1970. */
  billedAt: time,
  periodEnd: time,
});
const subscriptionSchema = v.object({
  kind: v.literal("subscription"),
  id: v.string(),
  status: v.picklist(["active", "past_due", "paused", "canceled"]),
  /** Its first transaction, where the provider says it. */
  transactionId: v.nullable(v.string()),
  /** The end of what is paid, or when it was paused or canceled. */
  end: time,
  trialing: v.optional(v.boolean(), false),
  /** When it charges next; null when it does not. */
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
  /** All of the payment at once. */
  full: v.boolean(),
  approved: v.boolean(),
  /** How much of it, minor units; null where that was not told. */
  total: v.optional(v.nullable(v.number()), null),
  /** The part of it that is tax, and what the provider gives back of its fee; null where they were not told. */
  tax: v.optional(v.nullable(v.number())),
  fee: v.optional(v.nullable(v.number())),
  /** When it happened; null in facts stored before this was recorded. */
  at: v.optional(time, null),
});
/** Days that an operator gave to who has an order. No provider tells it: it is ours. */
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
/** A fact as the column `provider_facts.fact` holds it. */
export const storedFactSchema = v.pipe(v.string(), v.parseJson(), factSchema);

/** The amounts that were told; the others are left out. */
export function told<K extends string>(amounts: Readonly<Record<K, number | null>>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== null)) as Partial<Record<K, number>>;
}

/** A fact and where it stands among states of the same thing: strings that sort from old to new. */
export interface VersionedFact {
  readonly version: string;
  readonly fact: Fact;
}

export interface SignedEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** As it came, for the record. */
  readonly payload: string;
}

export interface CheckoutOrder {
  readonly id: string;
  readonly priceId: string;
  readonly quantity: number;
  readonly couponCode: string | null;
  /** Where the provider's own page leads to after paying; null when it is not asked for. */
  readonly returnUrl: string | null;
}

/** What is known of an order's payment, to ask how it stands. */
export interface OrderReference {
  readonly id: string;
  readonly priceId: string;
  readonly transactionId: string | null;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface OpenCheckout {
  /** Null where there is none before it is paid. */
  readonly transactionId: string | null;
  /** The provider's own page for it. */
  readonly hostedUrl: string | null;
}

/** A part of a payment, to be given back once. */
export interface RefundPart {
  /** Minor units, tax in it. */
  readonly amount: number;
  /** By which the provider's record of it is found again; null where one part of this sum is all that is ever given back. */
  readonly id: string | null;
}

/** The provider did not answer, answered nonsense, or refused. */
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
  /** Whether a subscription that was cancelled for the end of its period can be kept after all. */
  readonly keepsCancelled: boolean;
  readonly createCheckout: (order: CheckoutOrder) => Promise<OpenCheckout>;
  /** The open checkout that was made for an order at or after a time; for when the answer to its creation was lost. */
  readonly findCheckout: (orderId: string, since: number) => Promise<OpenCheckout | null>;
  /** The address of its own page for a checkout, with the language and the way back where it takes them. */
  readonly hostedLink: (hostedUrl: string, to: { readonly language: Locale; readonly returnUrl: string }) => string;
  /** Makes an unpaid checkout unpayable; false when it is too late or the provider has no such thing. */
  readonly cancelCheckout: (transactionId: string) => Promise<boolean>;
  /** How an order's payment stands: its transaction with its adjustments, empty when nobody has paid it. */
  readonly readOrder: (order: OrderReference) => Promise<readonly VersionedFact[]>;
  readonly readSubscription: (subscriptionId: string) => Promise<readonly VersionedFact[]>;
  readonly changeSubscription: (subscriptionId: string, action: SubscriptionAction) => Promise<readonly VersionedFact[]>;
  /** Ends it now, without another charge. Ending it again is no failure. */
  readonly endSubscription: (subscriptionId: string) => Promise<void>;
  /** The page where its owner leaves another card. */
  readonly cardPage: (subscriptionId: string) => Promise<string>;
  /** Whether each part that was given back can be told from the others; without it a payment is given back in one part and the rest. */
  readonly knowsParts: boolean;
  /** Gives the money back: a part, or all that is left. Giving it back again is no failure. */
  readonly refund: (transactionId: string, reason: string, part?: RefundPart) => Promise<void>;
  /** Checks a webhook's signature and age; null when it is not the provider's. */
  readonly verify: (rawBody: Buffer, headers: IncomingHttpHeaders, now: number) => SignedEvent | null;
  /** What an event says that matters to us. Throws on a payload that is not the provider's shape. */
  readonly factsOf: (payload: string) => readonly VersionedFact[];
  /** What it has of payments and money given back since a time, for comparing it with the books; `priceIds` are all that was ever sold. */
  readonly listMoney: (since: number, priceIds: readonly string[]) => Promise<readonly VersionedFact[]>;
  /** The provider's price of each id, for `npm run paddle -- check`: null where it has none. */
  readonly listedPrices: (priceIds: readonly string[]) => Promise<ReadonlyMap<string, ListedPrice>>;
}

/** A price as the provider has it. */
export interface ListedPrice {
  readonly amount: number;
  readonly currency: string;
  /** `3M`, `1W`; null for what is paid once. */
  readonly plan: string | null;
  readonly trialDays: number;
}
