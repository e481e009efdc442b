import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  discounted,
  discountPercentage,
  feePerMonth,
  feePerWeek,
  halfFee,
  parsePlan,
  planMonths,
  planLabel,
  planWeeks,
  totalFee,
} from "./money.ts";

describe("a plan", () => {
  it.each([
    ["3M", { count: 3, unit: "month" }, 3, 13],
    ["12M", { count: 12, unit: "month" }, 12, 52],
    ["1M", { count: 1, unit: "month" }, 1, 4],
    ["1W", { count: 1, unit: "week" }, 1, 1],
    ["W4", { count: 4, unit: "week" }, 1, 4],
    ["26W", { count: 26, unit: "week" }, 6, 26],
    ["", { count: 1, unit: "month" }, 1, 4],
    ["0M", { count: 1, unit: "month" }, 1, 4],
  ])("%s has its months and weeks; a W means weekly", (plan, parsed, months, weeks) => {
    expect([parsePlan(plan), planMonths(plan), planWeeks(plan)]).toEqual([parsed, months, weeks]);
  });
});

it("a number of months gives the plan of that length, no number the default plan", () => {
  expect([planLabel(6), planLabel(undefined)]).toEqual(["6M", "3M"]);
});

describe("a fee", () => {
  it("is halved by the 50 % discount, to the nearest minor unit", () => {
    expect([halfFee(5999), halfFee(6000), halfFee(0)]).toEqual([3000, 3000, 0]);
  });
  it("is divided by the months or weeks of its plan", () => {
    expect(feePerMonth({ price: 5999, productPlan: "6M" })).toBe(1000);
    expect(feePerWeek({ price: 5200, productPlan: "12M" })).toBe(100);
    expect(feePerWeek({ price: 999, productPlan: "1W" })).toBe(999);
    expect(feePerMonth({ price: 1200, productPlan: "1W" })).toBe(5200);
    expect(feePerMonth({ price: 1200, productPlan: "4W" })).toBe(1300);
    expect(feePerWeek({ price: 1000, productPlan: "4W" })).toBe(250);
  });
  it("is the product's price, which covers the whole plan", () => {
    expect(totalFee({ price: 500 })).toBe(500);
  });
  it("shows a discount in whole percent, never more than the real one", () => {
    expect(discountPercentage({ price: 5999, listPrice: 11_998 })).toBe(50);
    expect(discountPercentage({ price: 667, listPrice: 1000 })).toBe(33);
    expect(discountPercentage({ price: 1000, listPrice: 1000 })).toBe(0);
    expect(discountPercentage({ price: 1000, listPrice: 0 })).toBe(0);
    expect(discountPercentage({ price: 0, listPrice: 0 })).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (price, listPrice) => {
        const percentage = discountPercentage({ price, listPrice });
        expect(percentage === 0 || discounted(listPrice, percentage) >= price).toBe(true);
      }),
    );
  });
  it("shows exactly the coupon's percentage as its discount, despite rounding", () => {
    expect(discountPercentage({ price: discounted(4497, 50), listPrice: 4497 })).toBe(50);
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 1e9 }), fc.integer({ min: 1, max: 99 }), (full, percentage) => {
        expect(discountPercentage({ price: discounted(full, percentage), listPrice: full })).toBe(percentage);
      }),
    );
  });
  it("is reduced by a configuration's percentage", () => {
    expect([discounted(1000, 25), discounted(999, 50), discounted(1000, 0), discounted(1000, 100)]).toEqual([750, 500, 1000, 0]);
  });
});
