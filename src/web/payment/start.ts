import type { CheckoutSnapshot } from "./checkout.ts";
import type { OfferSnapshot } from "./offer.ts";

/** Before anything is known. */
export const loadingOffer: OfferSnapshot = { status: "loading", products: [], selected: null, coupon: null, takesCoupon: false };
export const idleCheckout: CheckoutSnapshot = { status: "idle" };
