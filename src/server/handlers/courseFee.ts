import { courseFee as choose } from "#content/questionnaires/courseFee.ts";
import type { Handler } from "./shared/handler.ts";
import { planView } from "../payments/planView.ts";

/**
 * The products offered to this visitor (spec 001 §7). An account that has had its trial gets products without one; a returning customer gets what
 * they had.
 */
export const courseFee: Handler<"courseFee"> = async ({ body: { attributes }, actor }, { payments }) => {
  const former = attributes.reactivate ? planView(await payments.planOf(actor.accountUuid)) : null;
  const isFree = await payments.freeDaysOf(actor.accountUuid);
  return { value: choose({ ...attributes, plan: attributes.plan ?? "" }, payments.providers, isFree, former) };
};
