/** Fee arithmetic in minor units (spec 001 §3, §9). */
import type { Product } from "./products.ts";

export const defaultPlan = "3M";

/** The plan for a program of this many months (`9M`); the default plan when the length is unknown (spec 001 §9). */
export function planLabel(months: number | undefined): string {
  return months === undefined ? defaultPlan : `${months}M`;
}

/** A plan's length. A W means weeks (spec 001 §3). A plan without a number is one unit long. */
export function parsePlan(plan: string): { readonly count: number; readonly unit: "week" | "month" } {
  const count = Number.parseInt(plan.replace(/\D+/g, ""), 10);
  return { count: Number.isNaN(count) || count < 1 ? 1 : count, unit: plan.includes("W") ? "week" : "month" };
}

/** Whole months of a plan. A weekly plan of less than a month counts as one. */
export function planMonths(plan: string): number {
  const { count, unit } = parsePlan(plan);
  return unit === "month" ? count : Math.max(1, Math.round((count * 12) / 52));
}

/** Whole weeks of a plan; 12 months are 52 weeks. */
export function planWeeks(plan: string): number {
  const { count, unit } = parsePlan(plan);
  return unit === "week" ? count : Math.round((count * 52) / 12);
}

/** Half the fee, rounded to the nearest minor unit (spec 001 §9: the 50 % discount). */
export function halfFee(minorUnits: number): number {
  return Math.round(minorUnits / 2);
}

/**
 * The amount of one charge. The price covers the whole plan (3M costs 747 pesos in the catalogue), and is charged every `frequency`
 * plans.
 */
export function totalFee(product: Pick<Product, "price">): number {
  return product.price;
}

export function feePerMonth(product: Pick<Product, "price" | "productPlan">): number {
  const { count, unit } = parsePlan(product.productPlan);
  return Math.round(unit === "month" ? product.price / count : (product.price * 52) / (12 * count));
}

export function feePerWeek(product: Pick<Product, "price" | "productPlan">): number {
  const { count, unit } = parsePlan(product.productPlan);
  return Math.round(unit === "week" ? product.price / count : (product.price * 12) / (52 * count));
}

/**
 * The discount on the list price in whole percent; 0 without a discount. Rounded down, so that no text promises too much. A price that is
 * a whole percentage below the list price, rounded to the nearest minor unit, gives that percentage.
 */
export function discountPercentage({ price, listPrice }: Pick<Product, "price" | "listPrice">): number {
  if (listPrice <= price) return 0;
  const exact = ((listPrice - price) * 100) / listPrice;
  return discounted(listPrice, Math.round(exact)) === price ? Math.round(exact) : Math.floor(exact);
}

/** A fee less a percentage (spec 001 §3, discounts), rounded to the nearest minor unit. */
export function discounted(minorUnits: number, percentage: number): number {
  return Math.round((minorUnits * (100 - percentage)) / 100);
}
