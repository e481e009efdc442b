/** The products that a visitor is offered: feature/course-fee (spec 001 §7). */
import type { PaymentProviderName, Product } from "#core/products.ts";
import { currencyOf } from "../catalog/countries.ts";
import { comeBackPlan, isProduct, productId } from "../catalog/products.ts";
import type { Sale } from "./define.ts";
import { saleOf } from "./index.ts";

export interface CourseFeeAttributes {
  readonly questionnaire: string;
  /** The plan as long as the visitor's program, `3M`; empty or unknown means no preference. */
  readonly plan: string;
  readonly reactivate: boolean;
  readonly locale: string;
  readonly country: string;
}

/** The reactivation offer, "6+1 months" (spec 001 §9). The customer's former product is offered beside it. */
const comingBack: Sale = { products: [`subscription-${comeBackPlan}`] };

/**
 * The product ids of an offer, in the country's currency: the version's products, the wanted plan first (decisions/008).
 *
 * @param providers configured providers; Paddle Billing sells the products of any other
 * @param isFree whether a plan's free days are this person's to have: without them they are offered it without
 * @param former the former product of a returning customer, offered first if it is still sold; who never had one is offered the version's
 */
export function courseFee(
  attributes: CourseFeeAttributes,
  providers: readonly PaymentProviderName[],
  isFree: (plan: string) => boolean = () => true,
  former: Pick<Product, "productType" | "productPlan"> | null = null,
): string[] {
  const sale = attributes.reactivate && former !== null ? comingBack : saleOf(attributes.questionnaire);
  const offered = sale.products.map((name) => {
    const [type, plan] = name.split("-");
    return { type: type === "onetime" ? ("onetime" as const) : ("subscription" as const), plan: plan ?? "3M" };
  });
  const currency = currencyOf(attributes.country);
  const provider = sale.provider !== undefined && providers.includes(sale.provider) ? sale.provider : "paddlebilling";
  const wanted = attributes.plan.toUpperCase();
  const wantedFirst = offered.toSorted((a, b) => Number(b.plan === wanted) - Number(a.plan === wanted));
  const had =
    attributes.reactivate && former !== null && isProduct(productId(former.productType, former.productPlan, currency, provider))
      ? { type: former.productType, plan: former.productPlan }
      : null;
  const isHad = ({ type, plan }: (typeof offered)[number]) => type === had?.type && plan === had.plan;
  return [...(had === null ? [] : [had]), ...wantedFirst.filter((one) => !isHad(one))].map(({ type, plan }) => {
    const paidAtOnce = productId(type, plan, currency, provider, "without its trial");
    return !isFree(plan) && isProduct(paidAtOnce) ? paidAtOnce : productId(type, plan, currency, provider);
  });
}
