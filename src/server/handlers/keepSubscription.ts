import type { Handler } from "./shared/handler.ts";
import { refuse } from "../base/refusal.ts";
import { ProviderFailure } from "../payments/provider.ts";

/**
 * Takes a cancellation back, for the link of the mail that told of it. The link ends in the write that tells that the subscription goes on: what
 * the provider did not do can be asked for again.
 */
export const keepSubscription: Handler<"keepSubscription"> = async ({ body, log }, { store, accounts, payments }) => {
  const owner = await accounts.links.ownerOf(store.read, "keep", body.token);
  if (owner === null) return refuse("invalidLink");
  try {
    return (await payments.changePlan(owner.accountUuid, "keep")) === null ? refuse("invalidLink") : {};
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, kind: error.kind }, "The payment provider did not take a cancellation back.");
    return refuse("providerFailed");
  }
};
