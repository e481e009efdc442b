/** The payments as handlers use them: offers, orders, payment status, entitlements. */
import type { Locale } from "#core/locales.ts";
import type { PaymentProviderName, Product, SubscriptionAction } from "#core/products.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { Queries } from "../store/schema.ts";
import type { EarlyEnd } from "./earlyEnds.ts";
import type { OfferedTo } from "./catalogue.ts";
import type { EntitlementState } from "./entitlement.ts";
import type { Gift, GiftAnswer } from "./gifts.ts";
import type { VersionedFact } from "./provider.ts";
import type { RefundAnswer, RefundRequest } from "./refunds.ts";

/** Written in the same transaction as an action that somebody other than the owner began, for example its audit row. */
export type Note = (queries: Queries) => Promise<void>;

export interface PaymentService {
  /** The configured providers. Products of others are not sold. */
  readonly providers: readonly PaymentProviderName[];
  /** Whether the account has (or had) any entitlement. */
  readonly entitlementExists: (accountUuid: string) => Promise<boolean>;
  /** Products in offer order with the coupon applied; null when one is not sold there. */
  readonly offer: (productIds: readonly string[], to: OfferedTo) => Promise<readonly Product[] | null>;
  /** Whether a coupon has or had this code, whatever it applies to. */
  readonly isCoupon: (code: string) => Promise<boolean>;
  /** A coupon's use for a product: its code as stored, null where it does not apply. Null for a code that no coupon ever had. */
  readonly couponFor: (productId: string, code: string) => Promise<{ readonly code: string | null } | null>;
  /** Whether the person may still have a plan's free days. */
  readonly freeDaysOf: (accountUuid: string) => Promise<(plan: string) => boolean>;
  /** Whether the account has lately withdrawn so many orders that it gets no further checkout. */
  readonly hasWithdrawnOften: (accountUuid: string) => Promise<boolean>;
  readonly open: <Refused>(order: OrderRequest<Refused>) => Promise<OpenResult<Refused>>;
  /**
   * The status of one payment, or of the account's latest if the id is empty. An account with a plan has paid. `mayAsk` is called before the provider
   * is asked; by default it always may be.
   */
  readonly statusOf: (accountUuid: string, paymentId: string, mayAsk?: () => Promise<boolean>) => Promise<PaymentState>;
  /** The account's newest plan; null when it never had one. */
  readonly planOf: (accountUuid: string) => Promise<Plan | null>;
  /** Changes the account's subscription; null when there is none that can be changed so. Throws ProviderFailure. */
  readonly changePlan: (accountUuid: string, action: SubscriptionAction, note?: Note) => Promise<Plan | null>;
  /** Refunds one of the account's payments, in part or what is left. The provider is called after the answer. */
  readonly refundPayment: (request: RefundRequest, note: Note) => Promise<RefundAnswer>;
  /** Grants days on the account's newest plan, once per id. */
  readonly grantDays: (accountUuid: string, gift: Gift, note: Note) => Promise<GiftAnswer>;
  /** The provider's page for changing the card; null without a subscription. Throws ProviderFailure. */
  readonly cardPage: (accountUuid: string) => Promise<string | null>;
  /** Queues a mail with a checkout's address. */
  readonly mailPayLink: (accountUuid: string, url: string, language: Locale) => Promise<void>;
  /** Newest first. */
  readonly entitlementsOf: (accountUuid: string) => Promise<readonly EntitlementState[]>;
  /** Receives a webhook: true once it is stored (it is applied soon after), false when it is not from the provider. */
  readonly receive: (provider: PaymentProviderName, rawBody: Buffer, headers: IncomingHttpHeaders) => Promise<boolean>;
  /** Carries out notices that end a contract, in the background. */
  readonly endContracts: () => void;
  /** Records for every stored webhook which account it is about. */
  readonly noteBuyers: () => Promise<void>;
  /** Asks the providers about open payments and overdue renewals. */
  readonly reconcile: () => Promise<void>;
  /** A provider's payments and refunds since a time; null when it is not configured. Throws ProviderFailure. */
  readonly listMoney: (provider: PaymentProviderName, since: number) => Promise<readonly VersionedFact[] | null>;
  /** Applies facts that a provider reported. */
  readonly applyFacts: (provider: PaymentProviderName, facts: readonly VersionedFact[]) => Promise<void>;
  /** Differences between the catalogue and a provider's prices, one sentence each. Throws ProviderFailure. */
  readonly priceDifferences: (provider: PaymentProviderName) => Promise<readonly string[]>;
  /** Carries out the providers' duties that are due, now. */
  readonly carryOut: () => Promise<void>;
  /** Applies stored webhooks that are not applied yet. */
  readonly applyStored: () => Promise<void>;
  /** Applies webhooks that an earlier process stored, then reconciles every minute. */
  readonly start: () => void;
  /** Resolves when everything received so far is applied. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface PaymentState {
  readonly status: "pending" | "completed" | "cancelled" | "failed";
  /** The purchase, for its events; null until it is paid. */
  readonly purchase: Purchase | null;
}

export interface Purchase {
  readonly orderId: string;
  readonly productId: string;
  readonly productType: string;
  readonly productPlan: string;
  readonly currency: string;
  /** Minor units, less the coupon. For a trial, the amount that is charged after it. */
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
  /** The changes that its owner can make now. */
  readonly actions: readonly SubscriptionAction[];
  /** The time zone of its dates: the buyer's when they ordered. */
  readonly timeZone: string;
  /** The last day on which the buyer can ask for the first payment back, YYYY-MM-DD; null when they cannot. */
  readonly moneyBackUntil: string | null;
  /** How a cancellation now would shorten a renewed term; null when it would not (decision 131). */
  readonly earlyEnd: EarlyEnd | null;
  /** The amount that a cancelled plan's early end pays back, minor units; null without one. */
  readonly refundAtEnd: number | null;
  /** What was refunded of an ended plan, minor units; null when nothing was. */
  readonly refunded: number | null;
}

export interface OrderRequest<Refused> {
  readonly accountUuid: string;
  readonly productId: string;
  readonly couponCode: string | undefined;
  /** The visitor's country, if known. */
  readonly country?: string | null;
  /** The countries at whose prices this visitor may buy; null for any. Nothing is sold at another market's price. */
  readonly markets?: readonly string[] | null;
  /** The name of the device's time zone. */
  readonly timeZone?: string | undefined;
  /** For the provider's hosted page: its language, and where it leads to after payment. */
  readonly hosted?: { readonly language: Locale; readonly returnUrl: string };
  /** Called before the provider is. A result other than null stops the request there. */
  readonly mayCreate: () => Promise<Refused | null>;
}

/** A checkout that can be paid or is paid. */
export interface OrderCheckout {
  /** The id for payment-status. */
  readonly paymentId: string;
  /** Null if the provider has none before payment. */
  readonly transactionId: string | null;
  readonly hostedUrl: string | null;
}

export type OpenResult<Refused> =
  | { readonly kind: "open"; readonly checkout: OrderCheckout }
  | { readonly kind: "not sold" }
  | { readonly kind: "provider failed" }
  | { readonly kind: "refused"; readonly refusal: Refused };
