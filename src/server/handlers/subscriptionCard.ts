import { missingProofOf } from "./shared/proof.ts";
import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { ProviderFailure } from "../payments/provider.ts";

/** The provider's own page for changing the account's card. */
export const subscriptionCard: Handler<"subscriptionCard"> = async (call, services) => {
  const { actor, body, log } = call;
  const { payments, limits } = services;
  const limited = await limits.take("subscription.account", actor.accountUuid);
  if (limited !== null) return limited;
  const missing = await missingProofOf(call, { proof: "device", password: body.password }, services);
  if (missing) return missing;
  try {
    const url = await payments.cardPage(actor.accountUuid);
    return url === null ? refuse("notSold") : { url };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, kind: error.kind }, "The payment provider did not return its card page.");
    return refuse("providerFailed");
  }
};
