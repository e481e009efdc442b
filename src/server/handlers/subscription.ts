import type { Handler } from "./shared/handler.ts";
import { ownPlan } from "./shared/ownPlan.ts";

/** The account's current plan. */
export const subscription: Handler<"subscription"> = async ({ actor: { accountUuid } }, services) => ({
  subscription: await ownPlan(await services.payments.planOf(accountUuid), accountUuid, services),
});
