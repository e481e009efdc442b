import { describe, expect, it } from "vitest";
import { productSchema } from "#core/products.ts";
import * as v from "valibot";
import { currencyOf } from "./countries.ts";
import { courseFee } from "../questionnaires/courseFee.ts";
import { currencies, products } from "./products.ts";

const find = (id: string) => products.find(({ productId }) => productId === id);
const ask = (attributes: Partial<Parameters<typeof courseFee>[0]>) =>
  courseFee({ questionnaire: "76", plan: "", reactivate: false, locale: "es-419", country: "MX", ...attributes }, [
    "paddle",
    "paddlebilling",
  ]);

describe("the catalogue", () => {
  it("holds eight offers in nine currencies for two providers, each a valid product with its own id", () => {
    expect(products.filter(({ productId }) => !productId.includes("-notrial"))).toHaveLength(2 * 8 * currencies.length);
    expect(new Set(products.map(({ productId }) => productId)).size).toBe(products.length);
    for (const product of products) expect(v.parse(productSchema, product)).toEqual(product);
  });

  it("has a list price above every price", () => {
    for (const { price, listPrice } of products) expect(listPrice).toBeGreaterThan(price);
  });

  it("has a lower price per month for a longer subscription", () => {
    for (const currency of currencies) {
      const months = ["1M", "3M", "6M", "12M"].map(
        (plan) => (find(`subscription-${plan}-${currency}`.toLowerCase())?.price ?? 0) / Number.parseInt(plan, 10),
      );
      expect(months).toEqual(months.toSorted((a, b) => b - a));
    }
  });

  it("sells three months in Mexico for 747 pesos after seven days", () => {
    expect(find("subscription-3m-mxn")).toEqual({
      productId: "subscription-3m-mxn",
      productType: "subscription",
      productPlan: "3M",
      currency: "MXN",
      price: 74_700,
      listPrice: 99_900,
      frequency: 1,
      trialDays: 7,
      paymentProvider: "paddlebilling",
    });
    expect(find("subscription-1m-mxn")).toMatchObject({ price: 34_900, trialDays: 0 });
    expect(find("subscription-12m-mxn")).toMatchObject({ price: 190_800, listPrice: 298_800 });
  });

  it("sells every plan with a trial also without it, at the same price, to customers who have used the trial", () => {
    const withTrial = products.filter(({ trialDays }) => trialDays > 0);
    const paidAtOnce = products.filter(({ productId }) => productId.includes("-notrial"));
    expect(paidAtOnce).toEqual(
      withTrial.map((product) => ({ ...product, productId: product.productId.replace(/(-classic)?$/, "-notrial$1"), trialDays: 0 })),
    );
    expect(paidAtOnce).toHaveLength(2 * 2 * currencies.length);
  });

  it("knows each country's currency and falls back to dollars", () => {
    expect(["MX", "BR", "AR", "CO", "CL", "PE", "CH", "DE", "BG", "GB", "toString", ""].map(currencyOf)).toEqual([
      "MXN",
      "BRL",
      "ARS",
      "COP",
      "CLP",
      "PEN",
      "CHF",
      "EUR",
      "EUR",
      "USD",
      "USD",
      "USD",
    ]);
  });
});

describe("the course fee", () => {
  it("offers one, three and twelve months by default, in the country's currency", () => {
    expect(ask({})).toEqual(["subscription-1m-mxn", "subscription-3m-mxn", "subscription-12m-mxn"]);
    expect(ask({ country: "DE" })).toEqual(["subscription-1m-eur", "subscription-3m-eur", "subscription-12m-eur"]);
  });

  it("starts with the wanted plan if the version has it; the offered plans do not depend on it", () => {
    expect(ask({ plan: "3M" })).toEqual(["subscription-3m-mxn", "subscription-1m-mxn", "subscription-12m-mxn"]);
    expect(ask({ plan: "12m" })[0]).toBe("subscription-12m-mxn");
    for (const plan of ["6M", "5Y"]) expect(ask({ plan })).toEqual(ask({}));
  });

  it("follows the version: both kinds for 78, one-time only for 90", () => {
    expect(ask({ questionnaire: "78", country: "BR" })).toEqual([
      "onetime-6m-brl",
      "onetime-12m-brl",
      "subscription-1m-brl",
      "subscription-3m-brl",
    ]);
    expect(ask({ questionnaire: "90" })).toEqual(["onetime-3m-mxn", "onetime-6m-mxn", "onetime-12m-mxn"]);
    expect(ask({ questionnaire: "90", plan: "12M" })).toEqual(["onetime-12m-mxn", "onetime-3m-mxn", "onetime-6m-mxn"]);
  });

  it("is sold by Paddle Classic for version 82, and by Paddle Billing if only that is configured", () => {
    expect(ask({ questionnaire: "82", country: "DE" })).toEqual([
      "subscription-1m-eur-classic",
      "subscription-3m-eur-classic",
      "subscription-12m-eur-classic",
    ]);
    const attributes = { questionnaire: "82", plan: "", reactivate: false, locale: "de-DE", country: "DE" };
    expect(courseFee(attributes, ["paddlebilling"])).toEqual(["subscription-1m-eur", "subscription-3m-eur", "subscription-12m-eur"]);
    expect(find("subscription-3m-eur-classic")).toMatchObject({ paymentProvider: "paddle", price: find("subscription-3m-eur")?.price });
  });

  it("has one plan for a returning customer, whatever the version", () => {
    const former = { productType: "subscription", productPlan: "6M" } as const;
    const attributes = { questionnaire: "90", plan: "", reactivate: true, locale: "es-419", country: "MX" };
    expect(courseFee(attributes, ["paddlebilling"], undefined, former)).toEqual(["subscription-6m-mxn"]);
  });

  it("is the version's for a visitor of the reactivation page who never had a plan", () => {
    for (const questionnaire of ["76", "90"]) expect(ask({ questionnaire, reactivate: true })).toEqual(ask({ questionnaire }));
  });

  it("starts with a returning customer's former product, in their currency", () => {
    const back = (
      productType: "onetime" | "subscription",
      productPlan: string,
      more: { readonly reactivate?: boolean; readonly had?: readonly string[] } = {},
    ) =>
      courseFee(
        { questionnaire: "76", plan: "3M", reactivate: more.reactivate ?? true, locale: "de-DE", country: "DE" },
        ["paddlebilling"],
        (plan) => more.had?.includes(plan) !== true,
        { productType, productPlan },
      );
    expect(back("subscription", "1M")).toEqual(["subscription-1m-eur", "subscription-6m-eur"]);
    expect(back("subscription", "3M", { had: ["3M", "6M"] })).toEqual(["subscription-3m-eur-notrial", "subscription-6m-eur-notrial"]);
    expect(back("onetime", "6M")).toEqual(["onetime-6m-eur", "subscription-6m-eur"]);
    expect(back("subscription", "6M")).toEqual(["subscription-6m-eur"]);
    // A product no longer sold is not offered again.
    expect(back("subscription", "9M")).toEqual(["subscription-6m-eur"]);
    expect(back("subscription", "6M", { reactivate: false })).toEqual([
      "subscription-3m-eur",
      "subscription-1m-eur",
      "subscription-12m-eur",
    ]);
  });

  it("names only products that exist", () => {
    const ids = new Set(products.map(({ productId }) => productId));
    for (const questionnaire of ["69", "73", "76", "78", "82", "87", "90", "unheard-of"])
      for (const country of ["MX", "BR", "AR", "CO", "CL", "PE", "CH", "DE", "US"])
        for (const id of ask({ questionnaire, country })) expect(ids).toContain(id);
  });
});
