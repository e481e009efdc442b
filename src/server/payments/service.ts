/** Payments as the handlers see them: offers, orders, how they stand, what they entitle to. */
import type { Product } from "#core/products.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { EntitlementState } from "./entitlement.ts";
import type { OpenCheckout } from "./provider.ts";

export interface PaymentService {
  /** Whether the account has (or had) any entitlement. */
  readonly entitlementExists: (accountUuid: string) => Promise<boolean>;
  /** Products in offer order with the coupon applied; null when one is not sold there. */
  readonly offer: (productIds: readonly string[], country: string, couponCode: string | undefined) => Promise<readonly Product[] | null>;
  readonly open: <Refused>(order: OrderRequest<Refused>) => Promise<OpenResult<Refused>>;
  /** Of one payment (our order's transaction), or with an empty id the account's latest. */
  readonly statusOf: (accountUuid: string, paymentId: string) => Promise<"pending" | "completed" | "cancelled" | "failed">;
  /** Newest first. */
  readonly entitlementsOf: (accountUuid: string) => Promise<readonly EntitlementState[]>;
  /** A webhook: true once it is stored (and about to be applied), false when it is not the provider's. */
  readonly receive: (rawBody: Buffer, headers: IncomingHttpHeaders) => Promise<boolean>;
  /** Asks the provider about payments that are open and subscriptions that should have renewed. */
  readonly reconcile: () => Promise<void>;
  /** Applies what an earlier process stored, then reconciles every minute. */
  readonly start: () => void;
  /** Resolves when everything received so far is applied. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface OrderRequest<Refused> {
  readonly accountUuid: string;
  readonly productId: string;
  readonly couponCode: string | undefined;
  /** Asked before the provider is; an answer other than null ends it there. */
  readonly mayCreate: () => Promise<Refused | null>;
}

export type OpenResult<Refused> =
  | { readonly kind: "open"; readonly checkout: OpenCheckout }
  | { readonly kind: "not sold" }
  | { readonly kind: "provider failed" }
  | { readonly kind: "refused"; readonly refusal: Refused };
