import { type Handler, refuse } from "../handler.ts";
import { mayOpenCheckout } from "../payments/checkoutLimits.ts";

/** The provider's own page for the same order as createTransaction's: the way on where its script does not come. */
export const payLink: Handler<"payLink"> = async (call, services) => {
  const result = await services.payments.open({
    accountUuid: call.actor.accountUuid,
    productId: call.body.productId,
    couponCode: call.body.couponCode,
    mayCreate: mayOpenCheckout(call, services),
  });
  switch (result.kind) {
    case "open":
      return result.checkout.hostedUrl === null ? refuse(1202) : { url: result.checkout.hostedUrl, id: result.checkout.transactionId };
    case "not sold":
      return refuse(1200);
    case "provider failed":
      return refuse(1202);
    case "refused":
      return result.refusal;
  }
};
