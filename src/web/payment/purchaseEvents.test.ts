import { expect, test } from "vitest";
import { saveDevice } from "../session/device.ts";
import { memoryStore } from "../session/storage.ts";
import { type Purchase, tellPurchase } from "./purchaseEvents.ts";

const purchase: Purchase = {
  orderId: "o-1",
  productId: "subscription-3m-mxn",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialDays: 7,
  couponCode: null,
};
function teller() {
  const store = memoryStore();
  saveDevice(store, { deviceUuid: "d" });
  const layer: object[] = [];
  return { layer, tell: (bought: Purchase) => tellPurchase(bought, store, (event) => layer.push(event)) };
}

test("a subscription's purchase is told as purchase and as subscription, in the currency's own units (spec 001 §4)", () => {
  const { layer, tell } = teller();
  tell(purchase);
  expect(layer).toEqual([
    { ecommerce: null },
    {
      event: "purchase",
      ecommerce: {
        transaction_id: "o-1",
        value: 747,
        currency: "MXN",
        items: [{ item_id: "subscription-3m-mxn", item_name: "3M", item_category: "subscription", price: 747, quantity: 1 }],
      },
    },
    { event: "subscription", transaction_id: "o-1", plan: "3M", trial_days: 7 },
  ]);
});

test("what is paid once is no subscription; a coupon is named; pesos without cents stay whole", () => {
  const { layer, tell } = teller();
  tell({ ...purchase, productType: "onetime", currency: "CLP", price: 35_970, couponCode: "PARLANDO50" });
  expect(layer).toHaveLength(2);
  expect(layer[1]).toMatchObject({ ecommerce: { value: 35_970, coupon: "PARLANDO50" } });
});

test("each order is told once, however often the page is loaded", () => {
  const { layer, tell } = teller();
  for (let load = 0; load < 3; load += 1) tell(purchase);
  expect(layer).toHaveLength(3);
  tell({ ...purchase, orderId: "o-2" });
  expect(layer).toHaveLength(6);
});
