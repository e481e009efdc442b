import { describe, expect, test, vi } from "vitest";
import { fakeApi } from "../session/fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { pushPurchase } from "./visit.ts";

describe("a purchase", () => {
  const purchase = {
    orderId: "o1",
    productId: "3M-subscription-MXN",
    productType: "subscription",
    productPlan: "3M",
    currency: "MXN",
    price: 89_900,
    trialDays: 7,
    couponCode: null,
  } as const;
  const signedIn = () => {
    const store = memoryStore();
    store.set("token", "t");
    return store;
  };

  test("is pushed once per order, even after a reload, and a subscription has an entry of its own", async () => {
    const store = signedIn();
    const push = vi.fn();
    const api = fakeApi({ paymentStatus: () => ({ status: "completed", purchase }) });
    await pushPurchase({ api, store, push });
    await pushPurchase({ api, store, push });
    expect(push.mock.calls).toEqual([
      [
        "purchase",
        {
          ecommerce: {
            transaction_id: "o1",
            value: 899,
            currency: "MXN",
            items: [{ item_id: "3M-subscription-MXN", item_category: "subscription", price: 899, quantity: 1 }],
          },
        },
      ],
      ["subscription", { transaction_id: "o1", plan: "3M" }],
    ]);
  });

  test("that is pending, unknown or without a session is not pushed", async () => {
    const push = vi.fn();
    await pushPurchase({ api: fakeApi({ paymentStatus: () => ({ status: "pending" }) }), store: signedIn(), push });
    await pushPurchase({ api: fakeApi({}), store: signedIn(), push });
    const api = fakeApi({ paymentStatus: () => ({ status: "completed", purchase }) });
    await pushPurchase({ api, store: memoryStore(), push });
    expect([push.mock.calls, api.calls]).toEqual([[], []]);
  });
});
