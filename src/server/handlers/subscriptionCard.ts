import { type Handler, refuse } from "../handler.ts";
import { ProviderFailure } from "../payments/provider.ts";

/** The provider's own page where the account's card is changed. */
export const subscriptionCard: Handler<"subscriptionCard"> = async ({ actor, log }, { payments, limits }) => {
  const limited = await limits.take("subscription.account", actor.accountUuid);
  if (limited !== null) return limited;
  try {
    const url = await payments.cardPage(actor.accountUuid);
    return url === null ? refuse(1200) : { url };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, kind: error.kind }, "The payment provider did not give its card page.");
    return refuse(1202);
  }
};
