import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { ProviderFailure } from "../payments/provider.ts";

/**
 * Revokes a cancellation, by the link in the mail that announced it. Only the write that records that the subscription continues uses up the link, so
 * the link still works after a failure of the provider.
 */
export const keepSubscription: Handler<"keepSubscription"> = async ({ body, log }, { store, accounts, payments }) => {
  const owner = await accounts.links.ownerOf(store.read, "keep", body.token);
  if (owner === null) return refuse("invalidLink");
  try {
    return (await payments.changePlan(owner.accountUuid, "keep")) === null ? refuse("invalidLink") : {};
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, kind: error.kind }, "The payment provider did not revoke a cancellation.");
    return refuse("providerFailed");
  }
};
