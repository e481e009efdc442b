import { productTypes } from "#core/products.ts";
import type { Handler } from "./shared/handler.ts";

/** The status of a payment, or of the account's latest with an empty id. An unknown payment counts as cancelled. */
export const paymentStatus: Handler<"paymentStatus"> = async ({ actor, body, network }, { payments, limits }) => {
  const mayAsk = async () =>
    (await limits.take("payment-ask.network", network)) === null && (await limits.take("payment-ask.all", "all")) === null;
  const { status, purchase } = await payments.statusOf(actor.accountUuid, body.paymentId, mayAsk);
  const productType = productTypes.find((type) => type === purchase?.productType);
  return { status, purchase: purchase === null || productType === undefined ? null : { ...purchase, productType } };
};
