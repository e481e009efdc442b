import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";
import { openCheckout } from "./shared/openCheckout.ts";

/** Opens the provider's transaction for an order of the account, or gives the one that is open or paid already. */
export const createTransaction: Handler<"createTransaction"> = async (call, services) => {
  const checkout = await openCheckout(call, services, { productId: call.body.pricingId });
  if (checkout instanceof Refusal) return checkout;
  // A provider without transactions is paid by its link.
  return checkout.transactionId === null ? refuse("notSold") : { transactionId: checkout.transactionId };
};
