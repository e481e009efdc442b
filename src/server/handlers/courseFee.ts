import { courseFee as choose } from "#content/questionnaires/courseFee.ts";
import type { Handler } from "./shared/handler.ts";
import { planView } from "../payments/planView.ts";

/** Which products this visitor is offered (spec 001 §7): who has had a plan's trial is offered the plan without it, who comes back their own. */
export const courseFee: Handler<"courseFee"> = async ({ body: { attributes }, actor }, { payments }) => {
  const former = attributes.reactivate ? planView(await payments.planOf(actor.accountUuid)) : null;
  const had = await payments.trialsHad(actor.accountUuid);
  return { value: choose({ ...attributes, plan: attributes.plan ?? "" }, payments.providers, had, former) };
};
