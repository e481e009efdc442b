/** Turns products into an offer: their order, the default choice, and the texts of each product (spec 001 §3, §7, §8, §9). */
import { defaultPlan, parsePlan, planMonths } from "./money.ts";
import type { Product, ProductType } from "./products.ts";
import type { ProductConfiguration } from "./questionnaire/definition.ts";
import type { Plan } from "./questionnaire/plan.ts";

function rank({ productType, productPlan }: Product): number {
  if (productType === "onetime") return 0;
  return parsePlan(productPlan).unit === "week" ? 1 : 2;
}

/** One-time first, then weekly, then monthly (spec 001 §7, §9); within each, shorter plans first. */
export function inOfferOrder(products: readonly Product[]): Product[] {
  return products.toSorted((a, b) => rank(a) - rank(b) || parsePlan(a.productPlan).count - parsePlan(b.productPlan).count);
}

/**
 * The preselected product is the first of these that exists:
 * - the wanted plan;
 * - the subscription with the lowest total over the program (at equal totals, the longer one);
 * - the shortest one-time purchase that covers the program, or else the longest one;
 * - three months;
 * - the first product.
 * Within a plan, subscriptions come before one-time purchases.
 * @param wish the kind of product that the visitor prefers; null without a preference
 */
export function defaultProduct(offered: readonly Product[], plan: string = defaultPlan, wish: ProductType | null = null): Product {
  const wished = offered.filter(({ productType }) => productType === wish);
  const products = wished.length > 0 ? wished : offered;
  const ofPlan = (wanted: string) =>
    products.find((product) => product.productPlan === wanted && product.productType === "subscription") ??
    products.find((product) => product.productPlan === wanted);
  const found =
    ofPlan(plan) ?? cheapest(products, planMonths(plan)) ?? covering(products, planMonths(plan)) ?? ofPlan(defaultPlan) ?? products[0];
  if (found === undefined) throw new Error("No product found!");
  return found;
}

function cheapest(products: readonly Product[], months: number): Product | undefined {
  const total = ({ productPlan, price }: Product) => Math.ceil(months / planMonths(productPlan)) * price;
  return products
    .filter(({ productType, productPlan }) => productType === "subscription" && parsePlan(productPlan).unit === "month")
    .toSorted((a, b) => total(a) - total(b) || planMonths(b.productPlan) - planMonths(a.productPlan))[0];
}

/** A one-time purchase does not renew, so one that is too short leaves the rest of the program without access. */
function covering(products: readonly Product[], months: number): Product | undefined {
  const once = products
    .filter(({ productType, productPlan }) => productType === "onetime" && parsePlan(productPlan).unit === "month")
    .toSorted((a, b) => planMonths(a.productPlan) - planMonths(b.productPlan));
  return once.find(({ productPlan }) => planMonths(productPlan) >= months) ?? once.at(-1);
}

/** The number of charges that a product takes to cover a program. A one-time purchase takes one, whatever its length. */
export function chargesFor({ productType, productPlan }: Product, { months, programWeeks }: Pick<Plan, "months" | "programWeeks">): number {
  const { count, unit } = parsePlan(productPlan);
  return productType === "onetime" ? 1 : Math.ceil((unit === "week" ? programWeeks : months) / count);
}

/**
 * The texts of a product: the configuration with its type, plan and currency; else the one without a currency; else the closest one. The
 * caller warns about the last case (spec 001 §8).
 */
export function configurationFor(
  configurations: readonly ProductConfiguration[],
  product: Product,
): { readonly configuration: ProductConfiguration; readonly backup: boolean } {
  const ofPlan = configurations.filter(
    ({ productType, productPlan }) => productType === product.productType && productPlan === product.productPlan,
  );
  const own = ofPlan.find(({ currency }) => currency === product.currency) ?? ofPlan.find(({ currency }) => currency === undefined);
  if (own !== undefined) return { configuration: own, backup: false };
  const backup = ofPlan[0] ?? configurations.find(({ productType }) => productType === product.productType) ?? configurations[0];
  if (backup === undefined) throw new Error(`No product configuration for ${product.productId}: the questionnaire has none`);
  return { configuration: backup, backup: true };
}
