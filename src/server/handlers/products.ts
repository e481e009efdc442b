import type { Handler } from "./shared/handler.ts";
import { Refusal, refuse } from "../base/refusal.ts";
import { pricingCountry } from "../base/visitor.ts";

const mostProducts = 50;

/** Products in the country's currency, one-time first, then weekly, then monthly, with the coupon applied (spec 001 §7). */
export const products: Handler<"products"> = async ({ query, country, network }, { payments, limits, settings }) => {
  const ids = query.productIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length > mostProducts) return refuse("invalidInput", { fields: { productIds: "validator_too_long" } });
  const priced = pricingCountry({ asked: query.customerCountry, known: country, locale: query.locale }, settings);
  const offer = (couponCode?: string) => payments.offer(ids, { country: priced, couponCode });
  const plain = await offer();
  if (plain === null) return refuse("notSold");
  const { couponCode } = query;
  // Coupon codes must not be guessable: after too many invalid codes, none works for a while.
  const reduced =
    couponCode === undefined
      ? null
      : await limits.guess(
          "coupon-look.network",
          network,
          async () => {
            const good = await payments.isCoupon(couponCode);
            return { good, found: good ? await offer(couponCode) : plain };
          },
          couponCode.trim().toUpperCase(),
        );
  return { products: [...(reduced === null || reduced instanceof Refusal ? plain : reduced)] };
};
