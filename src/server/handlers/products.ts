import { type Handler, refuse } from "../handler.ts";
import { pricingCountry } from "../visitor.ts";

const mostProducts = 50;

/** Products in the country's currency, one-time first, then weekly, then monthly, with the coupon applied (spec 001 §7). */
export const products: Handler<"products"> = async ({ query, country }, { payments }) => {
  const ids = query.productIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length > mostProducts) return refuse(1000, { fields: { productIds: "validator_too_long" } });
  const found = await payments.offer(ids, pricingCountry(query.customerCountry, country, query.locale), query.couponCode);
  return found === null ? refuse(1200) : { products: [...found] };
};
