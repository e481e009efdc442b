/** What tools outside hear of a purchase (spec 001 §4, reference: integrations, "Purchase on the data layer"). */
import type { Output } from "#core/api.ts";
import { minorUnitsOf } from "#core/formats.ts";
import { readDevice, saveDevice } from "../session/device.ts";
import type { KeyValueStore } from "../session/storage.ts";

export type Purchase = NonNullable<Output<"paymentStatus">["purchase"]>;

/** The data layer: what is pushed here a tag manager reads, when there is one. */
export function dataLayer(): object[] {
  const known: unknown = Reflect.get(window, "dataLayer");
  if (Array.isArray(known)) return known;
  const made: object[] = [];
  Reflect.set(window, "dataLayer", made);
  return made;
}

/** Pushes an order's purchase, and for a subscription its event too; the same order once, also after a reload. */
export function tellPurchase(purchase: Purchase, store: KeyValueStore, push: (event: object) => void): void {
  const device = readDevice(store);
  if (device !== null && device.toldOrder === purchase.orderId) return;
  if (device !== null) saveDevice(store, { ...device, toldOrder: purchase.orderId });
  const value = purchase.price / minorUnitsOf(purchase.currency);
  const ecommerce = {
    transaction_id: purchase.orderId,
    value,
    currency: purchase.currency,
    ...(purchase.couponCode === null ? {} : { coupon: purchase.couponCode }),
    items: [
      { item_id: purchase.productId, item_name: purchase.productPlan, item_category: purchase.productType, price: value, quantity: 1 },
    ],
  };
  push({ ecommerce: null });
  push({ event: "purchase", ecommerce });
  if (purchase.productType === "subscription")
    push({ event: "subscription", transaction_id: purchase.orderId, plan: purchase.productPlan, trial_days: purchase.trialDays });
}

/** Tells that a payment did not go through. */
export function tellFailedPurchase(push: (event: object) => void): void {
  push({ event: "purchase_failed" });
}
