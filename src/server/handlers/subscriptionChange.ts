import type { SubscriptionAction } from "#core/products.ts";
import { ownPlan } from "./shared/ownPlan.ts";
import { missingProofOf } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { ProviderFailure } from "../payments/provider.ts";

/** These actions lead to a charge and need a proof. Cancelling costs nothing and must be no harder than buying. */
const charging: ReadonlySet<SubscriptionAction> = new Set(["resume", "keep"]);

/** Cancels, pauses, resumes or keeps the account's subscription. Returns the plan afterwards. */
export const subscriptionChange: Handler<"subscriptionChange"> = async (call, services) => {
  const { actor, body, log } = call;
  const { payments, limits } = services;
  const limited = await limits.take("subscription.account", actor.accountUuid);
  if (limited !== null) return limited;
  const missing = charging.has(body.action) ? await missingProofOf(call, { proof: "device", password: body.password }, services) : null;
  if (missing) return missing;
  const isCounted = body.action !== "cancel";
  const tooOften = isCounted ? await limits.take("plan-change.account", actor.accountUuid) : null;
  if (tooOften !== null) return tooOften;
  const giveBack = async () => (isCounted ? limits.giveBack("plan-change.account", actor.accountUuid) : undefined);
  try {
    const plan = await payments.changePlan(actor.accountUuid, body.action);
    if (plan !== null) return { subscription: await ownPlan(plan, actor.accountUuid, services) };
    await giveBack();
    return refuse("notSold");
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await giveBack();
    log.warn({ err: error, kind: error.kind }, "The payment provider did not change a subscription.");
    return refuse("providerFailed");
  }
};
