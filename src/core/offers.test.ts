import { describe, expect, it } from "vitest";
import { chargesFor, configurationFor, inOfferOrder, defaultProduct } from "./offers.ts";
import type { Product } from "./products.ts";
import type { ProductConfiguration } from "./questionnaire/definition.ts";

const product = (productType: Product["productType"], productPlan: string, currency = "MXN"): Product => ({
  productId: `${productType}-${productPlan}`,
  productType,
  productPlan,
  currency,
  price: 1,
  listPrice: 2,
  frequency: 1,
  trialDays: 0,
  paymentProvider: "paddlebilling",
});
const configuration = (productType: Product["productType"], productPlan: string, currency?: string): ProductConfiguration => ({
  productType,
  productPlan,
  ...(currency === undefined ? {} : { currency }),
  selectionTexts: { header: `${productType} ${productPlan} ${currency ?? "any"}` },
  paymentTexts: { paymentHeader: "" },
});

describe("the order of products", () => {
  it("is one-time, weekly, monthly", () => {
    const mixed = [
      product("subscription", "12M"),
      product("subscription", "3M"),
      product("subscription", "1W"),
      product("onetime", "12M"),
      product("onetime", "6M"),
    ];
    expect(inOfferOrder(mixed).map(({ productId }) => productId)).toEqual([
      "onetime-6M",
      "onetime-12M",
      "subscription-1W",
      "subscription-3M",
      "subscription-12M",
    ]);
  });
});

describe("the order of plans", () => {
  it("puts weeks before months, whatever their number", () => {
    const weeks = [product("subscription", "1M"), product("subscription", "26W"), product("subscription", "4W")];
    expect(inOfferOrder(weeks).map(({ productPlan }) => productPlan)).toEqual(["4W", "26W", "1M"]);
  });
});

describe("the usual choice", () => {
  it("is the requested plan, else three months, else the first", () => {
    const products = [product("onetime", "3M"), product("subscription", "1M"), product("subscription", "3M")];
    expect(defaultProduct(products, "1M").productId).toBe("subscription-1M");
    expect(defaultProduct(products).productId).toBe("subscription-3M");
    expect(defaultProduct(products, "6M").productId).toBe("subscription-3M");
    expect(defaultProduct([product("onetime", "12M")], "6M").productId).toBe("onetime-12M");
  });

  it("is the plan that covers the program at the lowest total, the longer one at equal totals", () => {
    const priced = (productPlan: string, price: number) => ({ ...product("subscription", productPlan), price });
    const sold = [priced("1M", 349), priced("3M", 747), priced("12M", 1_908), product("onetime", "6M")];
    const chosen = (plan: string) => defaultProduct(sold, plan).productPlan;
    expect(["2M", "3M", "5M", "8M", "11M", "12M", "13M"].map(chosen)).toEqual(["1M", "3M", "3M", "12M", "12M", "12M", "3M"]);
    const german = [priced("1M", 2_490), priced("3M", 5_370), priced("12M", 13_080)];
    expect(["2M", "4M", "5M", "7M"].map((plan) => defaultProduct(german, plan).productPlan)).toEqual(["1M", "1M", "3M", "12M"]);
    expect(defaultProduct([priced("1M", 10), priced("3M", 20), priced("6M", 20)], "2M").productPlan).toBe("6M");
    expect(defaultProduct([priced("1W", 1), priced("12M", 1_908)], "8M").productPlan).toBe("12M");
  });

  it("is the shortest one-time purchase that covers the program, else the longest, if there is no subscription", () => {
    const sold = ["3M", "6M", "12M"].map((plan) => product("onetime", plan));
    const chosen = (plan: string) => defaultProduct(sold, plan).productPlan;
    expect(["2M", "3M", "5M", "8M", "13M"].map(chosen)).toEqual(["3M", "3M", "6M", "12M", "12M"]);
  });

  it("is of the kind that the visitor prefers to pay for, if one is sold", () => {
    const sold = [product("onetime", "6M"), product("onetime", "12M"), product("subscription", "1M"), product("subscription", "3M")];
    const chosen = (wish: Product["productType"] | null, offered = sold) => defaultProduct(offered, "5M", wish).productId;
    expect([null, "subscription" as const, "onetime" as const].map((wish) => chosen(wish))).toEqual([
      "subscription-3M",
      "subscription-3M",
      "onetime-6M",
    ]);
    expect(chosen("onetime", [product("subscription", "3M")])).toBe("subscription-3M");
  });

  it("takes as many charges as cover the program", () => {
    const charges = (type: Product["productType"], plan: string) => chargesFor(product(type, plan), { months: 7, programWeeks: 30 });
    expect([charges("subscription", "1M"), charges("subscription", "3M"), charges("subscription", "12M")]).toEqual([7, 3, 1]);
    expect([charges("subscription", "4W"), charges("onetime", "3M")]).toEqual([8, 1]);
  });

  it("fails with the specification's message without a product", () => {
    expect(() => defaultProduct([])).toThrow("No product found!");
  });
});

describe("a product's configuration", () => {
  const configurations = [
    configuration("subscription", "1M"),
    configuration("subscription", "3M"),
    configuration("subscription", "3M", "ARS"),
    configuration("onetime", "6M", "BRL"),
  ];
  it("prefers the configuration of its currency to the one for every currency", () => {
    expect(configurationFor(configurations, product("subscription", "3M", "ARS")).configuration.selectionTexts.header).toBe(
      "subscription 3M ARS",
    );
    expect(configurationFor(configurations, product("subscription", "3M"))).toMatchObject({
      configuration: { productPlan: "3M" },
      backup: false,
    });
  });

  it("falls back to a configuration of the same type, and reports it", () => {
    expect(configurationFor(configurations, product("onetime", "12M"))).toMatchObject({
      configuration: { productType: "onetime" },
      backup: true,
    });
    expect(configurationFor(configurations, product("subscription", "12M"))).toMatchObject({
      configuration: { productType: "subscription" },
      backup: true,
    });
  });

  it("prefers a configuration for every currency to another currency or type", () => {
    const mixed = [configuration("onetime", "3M", "ARS"), configuration("subscription", "3M", "ARS"), configuration("subscription", "3M")];
    expect(configurationFor(mixed, product("subscription", "3M"))).toEqual({ configuration: mixed[2], backup: false });
    expect(configurationFor(mixed, product("subscription", "6M"))).toEqual({ configuration: mixed[1], backup: true });
  });

  it("is never the configuration of another type with the same plan", () => {
    const both = [configuration("onetime", "3M"), configuration("subscription", "3M")];
    expect(configurationFor(both, product("subscription", "3M"))).toEqual({ configuration: both[1], backup: false });
  });

  it("fails when the questionnaire has no configuration", () => {
    expect(() => configurationFor([], product("onetime", "12M"))).toThrow("No product configuration for");
  });
});
