/** How plans are named (spec 001 §9): their months and an M. */
import { planMonths } from "#core/money.ts";
import { expect, test } from "vitest";
import { products } from "./products.ts";

test("every plan that is sold is labelled by its months and an M", () => {
  for (const { productId, productPlan } of products) expect(productPlan, productId).toBe(`${planMonths(productPlan)}M`);
});
