/** Which products a visitor is offered: feature/course-fee (spec 001 §7). */
import type { PaymentProviderName } from "#core/products.ts";
import { currencyOf } from "./countries.ts";
import { isProduct, productId } from "./products.ts";

export interface CourseFeeAttributes {
  readonly questionnaire: string;
  /** The plan that the visitor's program comes to, `3M`; empty or unknown means no wish. */
  readonly plan: string;
  readonly reactivate: boolean;
  readonly locale: string;
  readonly country: string;
}

type Choice = readonly `${"onetime" | "subscription"}-${string}`[];

const usual: Choice = ["subscription-1M", "subscription-3M", "subscription-12M"];

/** The first row that fits decides; the last one fits always. */
const choices: readonly {
  readonly questionnaires?: readonly string[];
  readonly reactivate?: true;
  readonly countries?: readonly string[];
  /** Paddle Billing unless said. */
  readonly provider?: PaymentProviderName;
  readonly choice: Choice;
}[] = [
  // One frame, "6+1 months" (spec 001 §9).
  { reactivate: true, choice: ["subscription-6M"] },
  // The version before Paddle Billing's inline checkout (84's hypothesis) is sold by Paddle Classic.
  { questionnaires: ["82"], provider: "paddle", choice: usual },
  { questionnaires: ["69"], choice: ["subscription-3M"] },
  { questionnaires: ["78"], choice: ["onetime-6M", "onetime-12M", "subscription-1M", "subscription-3M"] },
  { questionnaires: ["87"], choice: ["subscription-1W", "subscription-1M", "subscription-3M"] },
  { questionnaires: ["90"], choice: ["onetime-3M", "onetime-6M", "onetime-12M"] },
  { choice: usual },
];

/**
 * @param providers who is configured: what another one would sell is sold by Paddle Billing
 * @param trialsHad plans whose trial this person has had: they are offered without it
 *
 * Product ids in the country's currency: the version's offer, in which the wanted plan comes first (decisions/008).
 */
export function courseFee(
  attributes: CourseFeeAttributes,
  providers: readonly PaymentProviderName[],
  trialsHad: ReadonlySet<string> = new Set(),
): string[] {
  const row = choices.find(
    ({ questionnaires, reactivate, countries }) =>
      (questionnaires?.includes(attributes.questionnaire) ?? true) &&
      (reactivate === undefined || reactivate === attributes.reactivate) &&
      (countries?.includes(attributes.country) ?? true),
  );
  const offered = (row?.choice ?? usual).map((name) => {
    const [type, plan] = name.split("-");
    return { type: type === "onetime" ? ("onetime" as const) : ("subscription" as const), plan: plan ?? "3M" };
  });
  const currency = currencyOf(attributes.country);
  const provider = row?.provider !== undefined && providers.includes(row.provider) ? row.provider : "paddlebilling";
  const wanted = attributes.plan.toUpperCase();
  const wantedFirst = offered.toSorted((a, b) => Number(b.plan === wanted) - Number(a.plan === wanted));
  return wantedFirst.map(({ type, plan }) => {
    const paidAtOnce = productId(type, plan, currency, provider, "without its trial");
    return trialsHad.has(plan) && isProduct(paidAtOnce) ? paidAtOnce : productId(type, plan, currency, provider);
  });
}
