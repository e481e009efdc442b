/** Payments as the handlers see them: offers, orders, how they stand, what they entitle to. */
import type { Locale } from "#core/locales.ts";
import type { PaymentProviderName, Product, SubscriptionAction } from "#core/products.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { Queries } from "../store/schema.ts";
import type { OfferedTo } from "./catalogue.ts";
import type { EntitlementState } from "./entitlement.ts";
import type { Gift, GiftAnswer } from "./gifts.ts";
import type { VersionedFact } from "./provider.ts";
import type { RefundAnswer, RefundRequest } from "./refunds.ts";

/** Written with what somebody else than the owner begins, or not at all. */
export type Note = (queries: Queries) => Promise<void>;

export interface PaymentService {
  /** Who is paid through here; products of others are not sold. */
  readonly providers: readonly PaymentProviderName[];
  /** Whether the account has (or had) any entitlement. */
  readonly entitlementExists: (accountUuid: string) => Promise<boolean>;
  /** Products in offer order with the coupon applied; null when one is not sold there. */
  readonly offer: (productIds: readonly string[], to: OfferedTo) => Promise<readonly Product[] | null>;
  /** A coupon's code as it is kept, where it holds for a product; null where it does not. */
  readonly couponFor: (productId: string, code: string) => Promise<string | null>;
  /** Whether a plan's free days are the account's person's to have. */
  readonly freeDaysOf: (accountUuid: string) => Promise<(plan: string) => boolean>;
  readonly open: <Refused>(order: OrderRequest<Refused>) => Promise<OpenResult<Refused>>;
  /** Of one payment, or with an empty id the account's latest; an account that has a plan has paid. */
  readonly statusOf: (accountUuid: string, paymentId: string) => Promise<PaymentState>;
  /** The account's plan, newest first; null when it never had one. */
  readonly planOf: (accountUuid: string) => Promise<Plan | null>;
  /** Does something with the account's subscription; null when there is none to do it with. Throws ProviderFailure. */
  readonly changePlan: (accountUuid: string, action: SubscriptionAction, note?: Note) => Promise<Plan | null>;
  /** Gives a payment of an account's back, all that is left or a part; the provider is asked behind the answer. */
  readonly giveBack: (request: RefundRequest, note: Note) => Promise<RefundAnswer>;
  /** Days more on the account's newest plan, once for each id. */
  readonly giveDays: (accountUuid: string, gift: Gift, note: Note) => Promise<GiftAnswer>;
  /** The provider's page to leave another card; null without a subscription. Throws ProviderFailure. */
  readonly cardPage: (accountUuid: string) => Promise<string | null>;
  /** Puts the address of a checkout into the outbox. */
  readonly mailLink: (accountUuid: string, url: string, language: Locale) => Promise<void>;
  /** Newest first. */
  readonly entitlementsOf: (accountUuid: string) => Promise<readonly EntitlementState[]>;
  /** A webhook: true once it is stored (and about to be applied), false when it is not the provider's. */
  readonly receive: (provider: PaymentProviderName, rawBody: Buffer, headers: IncomingHttpHeaders) => Promise<boolean>;
  /** Carries out what statements that end a contract ask for, behind the caller. */
  readonly endContracts: () => void;
  /** Every webhook that is stored says whose it is. */
  readonly noteBuyers: () => Promise<void>;
  /** Asks the provider about payments that are open and subscriptions that should have renewed. */
  readonly reconcile: () => Promise<void>;
  /** What a provider has of the money since a time; null when it is not configured. Throws ProviderFailure. */
  readonly moneyAt: (provider: PaymentProviderName, since: number) => Promise<readonly VersionedFact[] | null>;
  /** Takes what a provider has told into the books. */
  readonly take: (provider: PaymentProviderName, facts: readonly VersionedFact[]) => Promise<void>;
  /** What differs between the catalogue and a provider's prices, in sentences. Throws ProviderFailure. */
  readonly priceDifferences: (provider: PaymentProviderName) => Promise<readonly string[]>;
  /** Carries out now what providers must do and is due. */
  readonly carryOut: () => Promise<void>;
  /** Applies stored webhooks that are not applied yet. */
  readonly applyStored: () => Promise<void>;
  /** Applies what an earlier process stored, then reconciles every minute. */
  readonly start: () => void;
  /** Resolves when everything received so far is applied. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface PaymentState {
  readonly status: "pending" | "completed" | "cancelled" | "failed";
  /** What was paid, for the purchase's events; null while it is not. */
  readonly purchase: Purchase | null;
}

export interface Purchase {
  readonly orderId: string;
  readonly productId: string;
  readonly productType: string;
  readonly productPlan: string;
  readonly currency: string;
  /** Minor units, coupon taken off; a trial's is what is paid after it. */
  readonly price: number;
  readonly trialDays: number;
  readonly couponCode: string | null;
}

export interface Plan {
  readonly status: EntitlementState["status"];
  /** Milliseconds since 1970. */
  readonly end: number | null;
  readonly productType: string;
  readonly productPlan: string;
  readonly currency: string;
  /** Amount of the next charge, minor units. */
  readonly price: number;
  readonly trialing: boolean;
  readonly nextCharge: number | null;
  readonly change: { readonly action: "cancel" | "pause" | "resume"; readonly at: number } | null;
  /** What can be done with it now. */
  readonly actions: readonly SubscriptionAction[];
  /** The time zone of its dates: the buyer's when they ordered. */
  readonly timeZone: string;
  /** The last day on which the first payment can be asked back, YYYY-MM-DD; null when it cannot. */
  readonly moneyBackUntil: string | null;
}

export interface OrderRequest<Refused> {
  readonly accountUuid: string;
  readonly productId: string;
  readonly couponCode: string | undefined;
  /** Where the request comes from, where that is known: nothing is sold at another market's price. */
  readonly country?: string | null;
  /** The buyer's by its name, as the device has it. */
  readonly timeZone?: string | undefined;
  /** For the provider's own page: its language, and where it leads to after paying. */
  readonly hosted?: { readonly language: Locale; readonly returnUrl: string };
  /** Asked before the provider is; an answer other than null ends it there. */
  readonly mayCreate: () => Promise<Refused | null>;
}

/** A checkout that can be paid, or is paid. */
export interface OrderCheckout {
  /** What payment-status is asked with. */
  readonly paymentId: string;
  /** Null with a provider that has none before it is paid. */
  readonly transactionId: string | null;
  readonly hostedUrl: string | null;
}

export type OpenResult<Refused> =
  | { readonly kind: "open"; readonly checkout: OrderCheckout }
  | { readonly kind: "not sold" }
  | { readonly kind: "provider failed" }
  | { readonly kind: "refused"; readonly refusal: Refused };
