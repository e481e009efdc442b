import { courseFee as choose } from "#content/catalog/courseFee.ts";
import type { Handler } from "../handler.ts";

/** Which products this visitor is offered (spec 001 §7): who has had a plan's trial is offered the plan without it. */
export const courseFee: Handler<"courseFee"> = async ({ body: { attributes }, actor }, { payments }) => ({
  value: choose({ ...attributes, plan: attributes.plan ?? "" }, payments.providers, await payments.trialsHad(actor.accountUuid)),
});
