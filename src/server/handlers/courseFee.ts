import { courseFee as choose } from "#content/questionnaires/courseFee.ts";
import type { Handler } from "./shared/handler.ts";
import { planView } from "../payments/planView.ts";

/** Which products this visitor is offered (spec 001 §7): without free days whoever has had theirs; who comes back, what they had. */
export const courseFee: Handler<"courseFee"> = async ({ body: { attributes }, actor }, { payments }) => {
  const former = attributes.reactivate ? planView(await payments.planOf(actor.accountUuid)) : null;
  const isFree = await payments.freeDaysOf(actor.accountUuid);
  return { value: choose({ ...attributes, plan: attributes.plan ?? "" }, payments.providers, isFree, former) };
};
