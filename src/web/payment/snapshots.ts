/** Snapshots of offer and checkout for the blocks, and their initial values. */
import type { Checkout, Offer } from "#blocks/view.ts";

export type OfferSnapshot = Pick<Offer, "status" | "products" | "selected" | "coupon" | "takesCoupon">;
export type CheckoutSnapshot = Pick<Checkout, "status">;

export const loadingOffer: OfferSnapshot = { status: "loading", products: [], selected: null, coupon: null, takesCoupon: false };
export const idleCheckout: CheckoutSnapshot = { status: "idle" };
