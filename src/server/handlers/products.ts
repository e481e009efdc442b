import { isDeepStrictEqual } from "node:util";
import { type Handler, refuse } from "../handler.ts";
import { pricingCountry } from "../visitor.ts";

const mostProducts = 50;

/** Products in the country's currency, one-time first, then weekly, then monthly, with the coupon applied (spec 001 §7). */
export const products: Handler<"products"> = async ({ query, country, network }, { payments, limits }) => {
  const ids = query.productIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length > mostProducts) return refuse(1000, { fields: { productIds: "validator_too_long" } });
  const offer = (couponCode: string | undefined) =>
    payments.offer(ids, pricingCountry(query.customerCountry, country, query.locale), couponCode);
  // Which codes are good is not to be found out by trying: after many that gave nothing, none gives anything for a while.
  const triedTooMany = query.couponCode !== undefined && (await limits.take("coupon-look.network", network, 0)) !== null;
  const coupon = triedTooMany ? undefined : query.couponCode;
  const found = await offer(coupon);
  if (found === null) return refuse(1200);
  if (coupon !== undefined && isDeepStrictEqual(found, await offer(undefined))) await limits.take("coupon-look.network", network);
  return { products: [...found] };
};
