/** Plan names (spec 001 §9): months and an M, or weeks and a W. */
import { parsePlan, planMonths } from "#core/money.ts";
import { expect, test } from "vitest";
import { products } from "./products.ts";

test("every plan is labelled with its number of months and an M, or of weeks and a W", () => {
  const monthly = products.filter(({ productPlan }) => parsePlan(productPlan).unit === "month");
  expect(monthly.length).toBeGreaterThan(0);
  for (const { productId, productPlan } of monthly) expect(productPlan, productId).toBe(`${planMonths(productPlan)}M`);
  for (const { productPlan } of products.filter((product) => !monthly.includes(product))) expect(productPlan).toBe("1W");
});
