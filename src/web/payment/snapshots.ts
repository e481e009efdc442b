/** What the blocks are shown of paying, and how it begins. */
import type { Checkout, Offer } from "#blocks/view.ts";

export type OfferSnapshot = Pick<Offer, "status" | "products" | "selected" | "coupon" | "takesCoupon">;
export type CheckoutSnapshot = Pick<Checkout, "status">;

export const loadingOffer: OfferSnapshot = { status: "loading", products: [], selected: null, coupon: null, takesCoupon: false };
export const idleCheckout: CheckoutSnapshot = { status: "idle" };
