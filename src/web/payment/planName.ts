/** A plan in words: "Subscription for 3 months". */
import type { SubscriptionView } from "#core/api.ts";
import { parsePlan } from "#core/money.ts";

export function planName(
  { productPlan, productType }: SubscriptionView,
  say: (key: string, values?: Readonly<Record<string, string | number>>) => string,
): string {
  const { count, unit } = parsePlan(productPlan);
  const length = say("block.price.length", { COUNT: count, UNIT: unit });
  return say(productType === "onetime" ? "subscription.onetime" : "subscription.plan", { LENGTH: length });
}
