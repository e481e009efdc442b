import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";
import { openCheckout } from "./shared/openCheckout.ts";

/** Opens a transaction at the provider for an order of the account, or returns the one that is already open or paid. */
export const createTransaction: Handler<"createTransaction"> = async (call, services) => {
  const checkout = await openCheckout(call, services, { productId: call.body.pricingId });
  if (checkout instanceof Refusal) return checkout;
  // A provider without transactions is paid through its link.
  return checkout.transactionId === null ? refuse("notSold") : { transactionId: checkout.transactionId };
};
