/** The struck-out price in the answer of GET products, where EU law demands a prior price. Each test first deploys catalogues with other prices. */
import { createTestApp, sampledDatabases, type TestApp } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import type { Locale } from "#core/locales.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { createPayments } from "./payments.ts";
import { recordPrices } from "./priorPrices.ts";

const day = 24 * 60 * 60_000;
const product = "onetime-6m-eur";

describe.each(sampledDatabases)("a struck-out price on %s", (database) => {
  let t: TestApp;
  let price: number;
  beforeEach(async () => {
    const log = { warn: () => undefined, error: () => undefined };
    const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    t = await createTestApp({
      database,
      parts: ({ store, world }) => ({
        payments: createPayments({ store, world, providers: [provider], log, secretKeys: ["key"], onMail: () => undefined }),
      }),
    });
  });
  afterEach(() => t.close());

  /** Deploys catalogues with these prices so many days ago, and then today's. */
  async function deployed(...earlier: readonly (readonly [daysAgo: number, price: number | null])[]) {
    const at = t.world.now();
    for (const [daysAgo, price] of earlier)
      await t.store.write((queries) => recordPrices(queries, [{ productId: product, price }], at - daysAgo * day));
    await loadCatalogue(t.store, (id) => `price of ${id}`, at);
    ({ price } = await t.store.read.selectFrom("products").select("price").where("product_id", "=", product).executeTakeFirstOrThrow());
  }
  async function shown(locale: Locale = "de-DE", customerCountry = "DE", couponCode?: string) {
    const query = { productIds: product, customerCountry, locale, ...(couponCode === undefined ? {} : { couponCode }) };
    const { products } = await t.call("products", { query });
    return products[0]?.listPrice;
  }

  it("is missing where no other price was asked, whatever the catalogue's list price", async () => {
    await deployed();
    expect(await shown()).toBe(price);
    expect(await shown("es-ES", "ES")).toBe(price);
    // The page is not written for that country.
    expect(await shown("en-US", "IE")).toBe(price);
  });

  it("is the list price where no law demands a prior price", async () => {
    await deployed();
    const listed = async (locale: Locale, customerCountry: string, productIds: string) => {
      const { products } = await t.call("products", { query: { productIds, customerCountry, locale } });
      return products.map(({ price, listPrice }) => listPrice > price);
    };
    expect(await listed("es-419", "MX", "onetime-6m-mxn")).toEqual([true]);
    // Portugal reads these pages, too, but has other prices.
    expect(await listed("pt-BR", "BR", "onetime-6m-brl")).toEqual([true]);
    expect(await listed("pt-BR", "PT", "onetime-6m-brl")).toEqual([false]);
  });

  it("is the lowest price of the thirty days before the reduction", async () => {
    await deployed([200, 5_000], [31, 50_000], [20, 30_000], [10, 40_000]);
    expect(await shown()).toBe(30_000);
  });

  it("is not a price that ended thirty days before the reduction", async () => {
    await deployed([60, 30_000], [30, 40_000]);
    expect(await shown()).toBe(40_000);
  });

  it("is the price in effect when the thirty days began, if nothing changed since", async () => {
    await deployed([200, 50_000]);
    expect(await shown()).toBe(50_000);
  });

  it("is missing after a lower price within the thirty days, because nothing was reduced", async () => {
    await deployed([200, 50_000], [10, 1]);
    expect(await shown()).toBe(price);
  });

  it("is not taken from times when the product was not sold", async () => {
    await deployed([200, 50_000], [100, null]);
    expect(await shown()).toBe(price);
  });

  it("is the lowest price even if the product was not sold in between", async () => {
    await deployed([200, 50_000], [20, null], [10, 40_000]);
    expect(await shown()).toBe(40_000);
  });

  it("disappears thirty days after the reduction", async () => {
    await deployed([40, 50_000]);
    t.world.pass(30 * day - 1);
    await loadCatalogue(t.store, (id) => `price of ${id}`, t.world.now());
    expect(await shown()).toBe(50_000);
    t.world.pass(1);
    expect(await shown()).toBe(price);
  });

  it("beside a coupon's price is the price without the coupon", async () => {
    await deployed([200, 50_000]);
    expect(await shown("de-DE", "DE", "PARLANDO50")).toBe(price);
  });
});
