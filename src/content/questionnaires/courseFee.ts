/** Which products a visitor is offered: feature/course-fee (spec 001 §7). */
import type { PaymentProviderName, Product } from "#core/products.ts";
import { currencyOf } from "../catalog/countries.ts";
import { isProduct, productId } from "../catalog/products.ts";
import type { Sale } from "./define.ts";
import { saleOf } from "./index.ts";

export interface CourseFeeAttributes {
  readonly questionnaire: string;
  /** The plan that the visitor's program comes to, `3M`; empty or unknown means no wish. */
  readonly plan: string;
  readonly reactivate: boolean;
  readonly locale: string;
  readonly country: string;
}

/** One frame, "6+1 months" (spec 001 §9), and beside it what somebody had. */
const comingBack: Sale = { products: ["subscription-6M"] };

/**
 * @param providers who is configured: what another one would sell is sold by Paddle Billing
 * @param trialsHad plans whose trial this person has had: they are offered without it
 * @param former what somebody had who comes back: a month may stay a month
 *
 * Product ids in the country's currency: the version's offer, in which the wanted plan comes first (decisions/008).
 */
export function courseFee(
  attributes: CourseFeeAttributes,
  providers: readonly PaymentProviderName[],
  trialsHad: ReadonlySet<string> = new Set(),
  former: Pick<Product, "productType" | "productPlan"> | null = null,
): string[] {
  const sale = attributes.reactivate ? comingBack : saleOf(attributes.questionnaire);
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
    return trialsHad.has(plan) && isProduct(paidAtOnce) ? paidAtOnce : productId(type, plan, currency, provider);
  });
}
