import { products } from "#content/catalog/products.ts";
import { sampledDatabases } from "#test/app.ts";
import { fakeShop } from "#test/fakeShop.ts";
import { expect, test } from "vitest";
import { priceDifferences } from "./priceCheck.ts";
import type { ListedPrice } from "./provider.ts";

const some = products.filter(({ productId }) => ["subscription-3m-mxn", "onetime-6m-mxn", "subscription-1m-mxn"].includes(productId));
const same = new Map(
  some.map(({ productId, price, currency, productType, productPlan, trialDays }) => [
    productId,
    { amount: price, currency, plan: productType === "onetime" ? null : productPlan, trialDays },
  ]),
);
/** Checks against a provider that has these prices. It lists those that it is asked for. */
const check = (listed: ReadonlyMap<string, ListedPrice>, priceIdOf: (id: string) => string | null = (id) => id) => {
  const listedPrices = async (ids: readonly string[]) => {
    expect(ids).toEqual(some.flatMap(({ productId }) => priceIdOf(productId) ?? []));
    return new Map([...listed].filter(([id]) => ids.includes(id)));
  };
  return priceDifferences(some, { listedPrices }, priceIdOf);
};

test("equal prices give no sentence", async () => {
  expect(await check(same)).toEqual([]);
});

test("each difference gives one sentence", async () => {
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

test("a price that renews at one side only is reported", async () => {
  const [once, monthly] = ["onetime-6m-mxn", "subscription-1m-mxn"].map((id) => same.get(id));
  if (once === undefined || monthly === undefined) throw new Error("The catalogue has both");
  const other = new Map<string, ListedPrice>([
    ...same,
    ["onetime-6m-mxn", { ...once, plan: "1M" }],
    ["subscription-1m-mxn", { ...monthly, plan: null }],
  ]);
  expect(await check(other)).toEqual([
    "subscription-1m-mxn: subscription-1m-mxn renews every never, the catalogue says 1M",
    "onetime-6m-mxn: onetime-6m-mxn renews every 1M, the catalogue says never",
  ]);
});

test.each(sampledDatabases)("what is sold through a provider is compared with its prices by its own ids, on %s", async (database) => {
  const shop = await fakeShop(database);
  const own = products.filter(({ paymentProvider }) => paymentProvider === "paddlebilling");
  const listed = new Map(
    own.map(({ productId, price, currency, productType, productPlan, trialDays }): [string, ListedPrice] => [
      `price of ${productId}`,
      { amount: price, currency, plan: productType === "onetime" ? null : productPlan, trialDays },
    ]),
  );
  shop.provider.listedPrices.mockImplementation(async (ids) => new Map([...listed].filter(([id]) => ids.includes(id))));
  const differences = () => shop.payments.priceDifferences("paddlebilling");
  expect(await differences()).toEqual([]);
  expect(await shop.payments.priceDifferences("paddle")).toEqual([]);
  const missing = ["subscription-3m-mxn", "onetime-6m-mxn", "onetime-3m-mxn"];
  for (const id of missing) listed.delete(`price of ${id}`);
  await shop.store.write((queries) =>
    queries.updateTable("products").set({ sold: 0 }).where("product_id", "=", "onetime-3m-mxn").execute(),
  );
  expect(await differences()).toEqual([
    "onetime-6m-mxn: there is no price price of onetime-6m-mxn",
    "subscription-3m-mxn: there is no price price of subscription-3m-mxn",
  ]);
  await shop.close();
});
