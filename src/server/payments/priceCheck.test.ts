import { products } from "#content/catalog/products.ts";
import { expect, test } from "vitest";
import { priceDifferences } from "./priceCheck.ts";

const some = products.filter(({ productId }) => ["subscription-3m-mxn", "onetime-6m-mxn", "subscription-1m-mxn"].includes(productId));
const same = new Map(
  some.map(({ productId, price, currency, productType, productPlan, trialDays }) => [
    productId,
    { amount: price, currency, plan: productType === "onetime" ? null : productPlan, trialDays },
  ]),
);
const check = (listed: typeof same, priceIdOf: (id: string) => string | null = (id) => id) =>
  priceDifferences(some, { listedPrices: async () => listed }, priceIdOf);

test("nothing is said when all is the same", async () => {
  expect(await check(same)).toEqual([]);
});

test("every difference is said in a sentence of its own", async () => {
  const other = new Map(same);
  other.set("subscription-3m-mxn", { amount: 75_000, currency: "USD", plan: "1M", trialDays: 0 });
  other.delete("onetime-6m-mxn");
  expect(await check(other, (id) => (id === "subscription-1m-mxn" ? null : id))).toEqual([
    "subscription-1m-mxn has no price there: it is not sold",
    "subscription-3m-mxn: subscription-3m-mxn is in USD",
    "subscription-3m-mxn: subscription-3m-mxn is 75000, the catalogue says 74700",
    "subscription-3m-mxn: subscription-3m-mxn renews every 1M, the catalogue says 3M",
    "subscription-3m-mxn: subscription-3m-mxn has 0 trial days, the catalogue says 7",
    "onetime-6m-mxn: there is no price onetime-6m-mxn",
  ]);
});
