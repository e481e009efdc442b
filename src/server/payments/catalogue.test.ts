/** The stored catalogue: the content's products and coupons in the database after a start. */
import { products } from "#content/catalog/products.ts";
import { createTestStore, sampledDatabases } from "#test/app.ts";
import type { Store } from "#server/store/store.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue, offer, possiblePrices, renewalPrice, salesOf, standinPriceId } from "./catalogue.ts";

const now = Date.UTC(2031, 0, 1);

describe.each(sampledDatabases)("the catalogue on %s", (database) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(database);
    await loadCatalogue(store, (id) => `price of ${id}`, now);
  });
  afterEach(() => store.close());

  const product = (id: string) => store.read.selectFrom("products").selectAll().where("product_id", "=", id).executeTakeFirstOrThrow();
  const coupons = () => store.read.selectFrom("coupons").selectAll().orderBy("code").execute();
  const salesOfIds = async (ids: readonly string[], code?: string) =>
    (await salesOf(store, ids, code)).map(({ product: { productId, price }, couponCode }) => [productId, price, couponCode]).toSorted();

  it("has each product with its price at the provider", async () => {
    expect(await loadCatalogue(store, (id) => `price of ${id}`, now)).toEqual([]);
    const once = products.find(({ productId }) => productId === "onetime-6m-mxn");
    expect(await product("onetime-6m-mxn")).toEqual({
      product_id: "onetime-6m-mxn",
      product_type: "onetime",
      product_plan: "6M",
      currency: "MXN",
      price: 149_900,
      list_price: once?.listPrice,
      frequency: once?.frequency,
      trial_days: 0,
      payment_provider: "paddlebilling",
      price_id: "price of onetime-6m-mxn",
      sold: 1,
    });
    expect(await store.read.selectFrom("products").select("product_id").execute()).toHaveLength(products.length);
    expect(await coupons()).toEqual([
      { code: "AMIGOS20", percentage: 20, recurring: 1, plans: null, valid: 1 },
      { code: "PARLANDO50", percentage: 50, recurring: 1, plans: null, valid: 1 },
      { code: "VUELVE30", percentage: 30, recurring: 1, plans: '["6M","12M"]', valid: 1 },
    ]);
  });

  it("sells no product without a price at the provider, and returns the ids of these", async () => {
    const none = ["onetime-6m-mxn", "subscription-1m-eur"];
    expect(await loadCatalogue(store, (id) => (none.includes(id) ? null : id), now)).toEqual(
      products.map(({ productId }) => productId).filter((id) => none.includes(id)),
    );
    expect(await product("onetime-6m-mxn")).toMatchObject({ sold: 0, price_id: "" });
    expect(await product("onetime-3m-mxn")).toMatchObject({ sold: 1, price_id: "onetime-3m-mxn" });
    const asked = store.read.selectFrom("asked_prices").select(["product_id", "price"]).orderBy("product_id");
    expect(await asked.where("product_id", "in", ["onetime-6m-mxn", "onetime-3m-mxn"]).execute()).toEqual([
      { product_id: "onetime-3m-mxn", price: 89_900 },
      { product_id: "onetime-6m-mxn", price: null },
    ]);
    expect(await salesOfIds([...none, "onetime-3m-mxn"])).toEqual([["onetime-3m-mxn", 89_900, null]]);
  });

  it("restores changed rows, and ends products that the content no longer has", async () => {
    const [before, couponsBefore] = [await product("subscription-3m-mxn"), await coupons()];
    await store.write(async (queries) => {
      const changed = { price: 1, list_price: 1, frequency: 9, trial_days: 9, payment_provider: "paddle", price_id: "x", sold: 0 };
      await queries.updateTable("products").set(changed).execute();
      await queries
        .insertInto("products")
        .values({ ...before, product_id: "old" })
        .execute();
      await queries.updateTable("coupons").set({ percentage: 1, recurring: 0, plans: "[]", valid: 0 }).execute();
      await queries.insertInto("coupons").values({ code: "OLD", percentage: 90, recurring: 1, plans: null, valid: 1 }).execute();
    });
    await loadCatalogue(store, (id) => `price of ${id}`, now);
    expect(await product("subscription-3m-mxn")).toEqual(before);
    expect(await product("old")).toMatchObject({ sold: 0 });
    expect(await coupons()).toEqual(
      [...couponsBefore, { code: "OLD", percentage: 90, recurring: 1, plans: null, valid: 0 }].toSorted((a, b) =>
        a.code < b.code ? -1 : 1,
      ),
    );
    expect(await salesOfIds(["old", "onetime-3m-mxn"], "OLD")).toEqual([["onetime-3m-mxn", 89_900, null]]);
  });

  it("applies a coupon to its plans, however the code is spelled", async () => {
    const ids = ["onetime-3m-mxn", "onetime-6m-mxn"];
    const full = [
      ["onetime-3m-mxn", 89_900, null],
      ["onetime-6m-mxn", 149_900, null],
    ];
    for (const none of [undefined, "", " ", "NOSUCH"]) expect(await salesOfIds(ids, none)).toEqual(full);
    expect(await salesOfIds(ids, " amigos20 ")).toEqual([
      ["onetime-3m-mxn", 71_920, "AMIGOS20"],
      ["onetime-6m-mxn", 119_920, "AMIGOS20"],
    ]);
    expect(await salesOfIds(ids, "VUELVE30")).toEqual([
      ["onetime-3m-mxn", 89_900, null],
      ["onetime-6m-mxn", 104_930, "VUELVE30"],
    ]);
    expect(await salesOf(store, [], "AMIGOS20")).toEqual([]);
    expect((await salesOf(store, ["onetime-3m-mxn"], undefined))[0]?.priceId).toBe("price of onetime-3m-mxn");
  });

  it("renews at today's price, with a coupon that also applies to renewals", async () => {
    const renewal = (coupon_code: string | null, product_id = "subscription-1m-mxn") =>
      renewalPrice(store.read, { product_id, price: 100, coupon_code });
    expect(await renewal(null)).toBe(34_900);
    await store.write((queries) => queries.updateTable("coupons").set({ recurring: 0 }).where("code", "=", "VUELVE30").execute());
    expect(await renewal("VUELVE30")).toBe(34_900);
    expect(await renewal("NOSUCH")).toBe(34_900);
    expect(await renewal("PARLANDO50")).toBe(17_450);
    expect(await renewal("PARLANDO50", "gone")).toBe(50);
    expect(await renewal(null, "gone")).toBe(100);
  });

  it("accepts for an order its own price, the current price, and both with each coupon for its plan", async () => {
    const prices = async (product_plan: string, product_id = "subscription-1m-mxn") =>
      (await possiblePrices(store.read, { product_id, product_plan, price: 10_000 })).toSorted((a, b) => a - b);
    expect(await prices("1M")).toEqual([5_000, 8_000, 10_000, 17_450, 27_920, 34_900]);
    expect(await prices("6M", "gone")).toEqual([5_000, 7_000, 8_000, 10_000]);
  });

  it("offers plans without their trial, unless the provider has no price for them", async () => {
    const products = async (...ids: readonly string[]) =>
      (await offer(store, ids, { country: "DE" }, now))?.map(({ productId, trialUsed }) => [productId, trialUsed]) ?? null;
    const asked = ["subscription-3m-mxn-notrial", "onetime-6m-mxn"];
    const rest = ["onetime-6m-eur", undefined];
    expect(await products(...asked)).toEqual([rest, ["subscription-3m-eur-notrial", true]]);
    await loadCatalogue(store, (id) => (id === "subscription-3m-eur-notrial" ? null : id), now);
    expect(await products(...asked)).toEqual([rest]);
    expect(await products("subscription-3m-mxn-notrial")).toBeNull();
  });

  it("offers in the country's currency, each product once, from the requested provider", async () => {
    const ids = async (asked: readonly string[], country: string, code?: string) =>
      (await offer(store, asked, { country, couponCode: code }, now))?.map(({ productId }) => productId) ?? null;
    expect(await ids(["subscription-3m-mxn", "subscription-3m-ars", "onetime-3m-mxn"], "DE")).toEqual([
      "onetime-3m-eur",
      "subscription-3m-eur",
    ]);
    expect(await ids(["subscription-1m-mxn-classic"], "BR")).toEqual(["subscription-1m-brl-classic"]);
    expect(await ids(["subscription-1m-mxn-other"], "BR")).toEqual(["subscription-1m-brl"]);
    expect(await ids(["subscription", "onetime-3m-mxn"], "MX")).toBeNull();
    expect(await ids(["gift-3m-mxn", "onetime-3m-mxn"], "MX")).toBeNull();
    expect(await ids([], "MX")).toBeNull();
    expect((await offer(store, ["onetime-6m-mxn"], { country: "MX", couponCode: "AMIGOS20" }, now))?.[0]?.price).toBe(119_920);
  });

  it("has numbers as Paddle Classic's price ids in the stand-in, and names as Billing's", () => {
    expect(standinPriceId("onetime-6m-mxn")).toBe("pri_onetime_6m_mxn");
    const classic = products
      .filter(({ paymentProvider }) => paymentProvider === "paddle")
      .map(({ productId }) => standinPriceId(productId));
    expect(classic).toEqual(products.flatMap(({ paymentProvider }, at) => (paymentProvider === "paddle" ? [String(800_001 + at)] : [])));
  });
});
