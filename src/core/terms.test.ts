import { describe, expect, it } from "vitest";
import type { Product } from "./products.ts";
import { currencyCode, taxIncluded, termsOf, termsText } from "./terms.ts";

const product: Product = {
  productId: "p",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  listPrice: 99_900,
  frequency: 3,
  trialDays: 7,
  paymentProvider: "paddlebilling",
};

/** Noon in Mexico City. */
const on = (day: string) => ({ now: Date.parse(`${day}T18:00:00Z`), timeZone: "America/Mexico_City" });

describe("the terms of an offer", () => {
  it("charges nothing today while a trial runs, and the whole price on the day it ends", () => {
    expect(termsOf(product, on("2026-11-20"))).toEqual({
      count: 3,
      unit: "month",
      renews: true,
      dueToday: 0,
      nextCharge: "2026-11-27",
      end: null,
      perUnit: 24_900,
      listPerUnit: 33_300,
    });
  });

  it("charges today without a trial and again when the paid period is over", () => {
    expect(termsOf({ ...product, trialDays: 0 }, on("2026-11-30"))).toMatchObject({ dueToday: 74_700, nextCharge: "2027-02-28" });
    expect(termsOf({ ...product, trialDays: 0, productPlan: "1W" }, on("2026-11-30"))).toMatchObject({
      unit: "week",
      nextCharge: "2026-12-07",
      perUnit: 74_700,
    });
  });

  it("shows Paddle Classic's charge dates unchanged in every time zone", () => {
    const evening = { now: Date.parse("2026-11-21T03:00:00Z"), timeZone: "America/Mexico_City" };
    expect([termsOf(product, evening).nextCharge, termsOf({ ...product, paymentProvider: "paddle" }, evening).nextCharge]).toEqual([
      "2026-11-27",
      "2026-11-28",
    ]);
  });

  it("has no next charge for a one-time purchase, even with a trial", () => {
    expect(termsOf({ ...product, productType: "onetime" }, on("2026-11-20"))).toMatchObject({
      renews: false,
      dueToday: 74_700,
      nextCharge: null,
      end: "2027-02-20",
    });
  });

  it("strikes a list price only if the price is lower", () => {
    expect(termsOf({ ...product, listPrice: 74_700 }, on("2026-11-20")).listPerUnit).toBeNull();
  });

  it("shows a weekly plan's prices per week, and its number of weeks", () => {
    const weeks = { ...product, productPlan: "2W", trialDays: 0, price: 2000, listPrice: 3000 };
    expect(termsOf(weeks, on("2026-11-30"))).toMatchObject({ count: 2, nextCharge: "2026-12-14", perUnit: 1000, listPerUnit: 1500 });
  });

  it("has a text for one-time purchases, for trials, and for renewals from today", () => {
    const textOf = (change: Partial<Product>) => termsText(termsOf({ ...product, ...change }, on("2026-11-20")));
    expect([textOf({ productType: "onetime" }), textOf({}), textOf({ trialDays: 0 })]).toEqual([
      "block.price.onetime",
      "block.price.renewsTrial",
      "block.price.renews",
    ]);
  });
});

describe("an amount", () => {
  it("has a currency code unless its sign is unambiguous, and a tax label where required", () => {
    const currencies = ["EUR", "BRL", "CHF", "MXN", "USD"];
    expect(currencies.map(currencyCode)).toEqual([null, null, "CHF", "MXN", "USD"]);
    expect(currencies.map(taxIncluded)).toEqual([true, false, true, false, false]);
  });
});
