/** Fee arithmetic in minor units (spec 001 §3, §9). */
import type { Product } from "./products.ts";

export const defaultPlan = "3M";

/** The plan of a program that is this long: its months and an M; the default where none is known (spec 001 §9). */
export function planOf(months: number | undefined): string {
  return months === undefined ? defaultPlan : `${months}M`;
}

/** A plan's length; a W in it means weekly (spec 001 §3). A plan without a number is one unit long. */
export function parsePlan(plan: string): { readonly count: number; readonly unit: "week" | "month" } {
  const count = Number.parseInt(plan.replace(/\D+/g, ""), 10);
  return { count: Number.isNaN(count) || count < 1 ? 1 : count, unit: plan.includes("W") ? "week" : "month" };
}

/** Whole months of a plan; a weekly plan of less than a month counts as one. */
export function planMonths(plan: string): number {
  const { count, unit } = parsePlan(plan);
  return unit === "month" ? count : Math.max(1, Math.round((count * 12) / 52));
}

/** Whole weeks of a plan, 52 to 12 months. */
export function planWeeks(plan: string): number {
  const { count, unit } = parsePlan(plan);
  return unit === "week" ? count : Math.round((count * 52) / 12);
}

/** Half the fee, to the nearest minor unit (spec 001 §9: the 50 % discount). */
export function halfFee(minorUnits: number): number {
  return Math.round(minorUnits / 2);
}

/** What is charged at once: a product's price covers its whole plan (the catalogue: 3M for 747 pesos), charged every `frequency` plans. */
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
 * How much cheaper than the list price, in whole percent, rounded down so that no text promises more; 0 without a saving. What a percentage
 * leaves to the nearest minor unit is that percentage.
 */
export function discountPercentage({ price, listPrice }: Pick<Product, "price" | "listPrice">): number {
  if (listPrice <= price) return 0;
  const exact = ((listPrice - price) * 100) / listPrice;
  return discounted(listPrice, Math.round(exact)) === price ? Math.round(exact) : Math.floor(exact);
}

/** A fee with a configuration's percentage taken off (spec 001 §3, discounts), to the nearest minor unit. */
export function discounted(minorUnits: number, percentage: number): number {
  return Math.round((minorUnits * (100 - percentage)) / 100);
}
