import { type Handler, refuse } from "../handler.ts";
import { planView } from "../payments/planView.ts";
import { ProviderFailure } from "../payments/provider.ts";

/** Cancels, pauses, resumes or keeps the account's subscription; the plan as it stands afterwards. */
export const subscriptionChange: Handler<"subscriptionChange"> = async ({ actor, body, log }, { payments, limits }) => {
  const limited = await limits.take("subscription.account", actor.accountUuid);
  if (limited !== null) return limited;
  try {
    const plan = await payments.changePlan(actor.accountUuid, body.action);
    return plan === null ? refuse(1200) : { subscription: planView(plan) };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, kind: error.kind }, "The payment provider did not change a subscription.");
    return refuse(1202);
  }
};
