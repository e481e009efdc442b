import type { SubscriptionView } from "#core/api.ts";
import { productTypes } from "#core/products.ts";
import type { Plan } from "./service.ts";

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** A plan in the format of the contract table. */
export function planView(plan: Plan | null): SubscriptionView | null {
  const productType = productTypes.find((type) => type === plan?.productType);
  if (plan === null || productType === undefined) return null;
  const { end, nextCharge, change, actions, earlyEnd, ...rest } = plan;
  return {
    ...rest,
    productType,
    end: iso(end),
    nextCharge: iso(nextCharge),
    change: change === null ? null : { action: change.action, at: new Date(change.at).toISOString() },
    actions: [...actions],
    earlyEnd: earlyEnd === null ? null : { end: new Date(earlyEnd.endsAt).toISOString(), back: earlyEnd.back },
  };
}
