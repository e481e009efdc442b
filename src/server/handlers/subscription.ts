import type { Handler } from "./shared/handler.ts";
import { planView } from "../payments/planView.ts";

/** The account's current plan. */
export const subscription: Handler<"subscription"> = async ({ actor }, { payments }) => ({
  subscription: planView(await payments.planOf(actor.accountUuid)),
});
