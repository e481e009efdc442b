import { type Handler, refuse } from "../handler.ts";
import { mayOpenCheckout } from "../payments/checkoutLimits.ts";

/** Opens the provider's transaction for an order of the account, or gives the one that is open or paid already. */
export const createTransaction: Handler<"createTransaction"> = async (call, services) => {
  const result = await services.payments.open({
    accountUuid: call.actor.accountUuid,
    productId: call.body.pricingId,
    couponCode: call.body.couponCode,
    mayCreate: mayOpenCheckout(call, services),
  });
  switch (result.kind) {
    case "open":
      // A provider without transactions is paid by its link.
      return result.checkout.transactionId === null ? refuse(1200) : { transactionId: result.checkout.transactionId };
    case "not sold":
      return refuse(1200);
    case "provider failed":
      return refuse(1202);
    case "refused":
      return result.refusal;
  }
};
