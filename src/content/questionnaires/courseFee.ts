/** The products that a visitor is offered: feature/course-fee (spec 001 §7). */
import type { PaymentProviderName, Product } from "#core/products.ts";
import { currencyOf } from "../catalog/countries.ts";
import { comeBackPlan, isProduct, productId } from "../catalog/products.ts";
import type { Sale } from "./define.ts";
import { saleOf } from "./index.ts";

export interface CourseFeeAttributes {
  readonly questionnaire: string;
  /** The plan as long as the visitor's program (`3M`). An empty or unknown one means no preference. */
  readonly plan: string;
  readonly reactivate: boolean;
  readonly locale: string;
  readonly country: string;
}

/** The reactivation offer, "6+1 months" (spec 001 §9). The customer's former product is offered beside it. */
const comingBack: Sale = { products: [`subscription-${comeBackPlan}`] };

/**
 * The product ids of an offer, in the country's currency: the version's products, the wanted plan first (decisions/008).
 * @param providers the configured providers; Paddle Billing replaces one that is not configured
 * @param hasTrial whether the person may still have a plan's trial; if not, the product without it is offered
 * @param former a returning customer's former product, offered first if it is still sold; null offers the version's products
 */
export function courseFee(
  attributes: CourseFeeAttributes,
  providers: readonly PaymentProviderName[],
  hasTrial: (plan: string) => boolean = () => true,
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
  const formerOffer =
    attributes.reactivate && former !== null && isProduct(productId(former.productType, former.productPlan, currency, provider))
      ? { type: former.productType, plan: former.productPlan }
      : null;
  const isFormer = ({ type, plan }: (typeof offered)[number]) => type === formerOffer?.type && plan === formerOffer.plan;
  return [...(formerOffer === null ? [] : [formerOffer]), ...wantedFirst.filter((one) => !isFormer(one))].map(({ type, plan }) => {
    const paidAtOnce = productId(type, plan, currency, provider, "without its trial");
    return !hasTrial(plan) && isProduct(paidAtOnce) ? paidAtOnce : productId(type, plan, currency, provider);
  });
}
