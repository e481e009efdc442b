/** The calls of Classic's vendor API that the site and our tools make. */
import { minorUnitsOf } from "#core/formats.ts";
import { randomBytes } from "node:crypto";
import { PaddleProblem } from "../problem.ts";
import { type Desk, innerOf, manageUrl, orderIdOf, type PayLink, subscriptionStatus } from "./desk.ts";
import { day, major, seconds } from "./formats.ts";
import { paidOf } from "./orders.ts";

/** By path. */
export const vendorCalls: Readonly<Record<string, (desk: Desk, fields: Readonly<Record<string, string>>) => unknown>> = {
  "product/generate_pay_link": (desk, fields) => {
    const productId = fields["product_id"] ?? "";
    if (!desk.prices.some((price) => price.id === productId)) throw new PaddleProblem(200, "102", "Bad product id");
    const couponCode = fields["coupon_code"] ?? null;
    if (couponCode !== null && desk.billing.discountByCode(couponCode) === undefined)
      throw new PaddleProblem(200, "111", "Invalid coupon code");
    const link: PayLink = {
      id: randomBytes(12).toString("hex"),
      productId,
      passthrough: (fields["passthrough"] ?? "").slice(0, 1000),
      couponCode,
      returnUrl: fields["return_url"] ?? null,
    };
    desk.links.put(link.id, link);
    return { url: `${desk.base()}/pay/${link.id}` };
  },
  "subscription/users": (desk, fields) =>
    desk.billing
      .subscriptions()
      .filter(({ id }) => fields["subscription_id"] === undefined || desk.numberOf(id) === fields["subscription_id"])
      .map((subscription) => ({
        subscription_id: Number(desk.numberOf(subscription.id)),
        plan_id: Number(subscription.items[0]?.price.id),
        state: subscription.scheduled_change?.action === "cancel" ? "deleted" : subscriptionStatus[subscription.status],
        update_url: manageUrl(desk, subscription.id),
        ...(subscription.scheduled_change?.action === "pause" ? { paused_from: seconds(subscription.scheduled_change.effective_at) } : {}),
        ...(subscription.status === "paused" ? { paused_from: seconds(subscription.paused_at) } : {}),
        ...(subscription.next_billed_at && subscription.scheduled_change?.action !== "cancel"
          ? { next_payment: { date: day(subscription.next_billed_at) } }
          : {}),
      })),
  "subscription/users_cancel": (desk, fields) => {
    const id = innerOf(desk, fields["subscription_id"] ?? "");
    if (id === undefined || desk.billing.getSubscription(id).status === "canceled")
      throw new PaddleProblem(200, "119", "Unable to find requested subscription");
    desk.billing.cancel(id, desk.billing.getSubscription(id).status === "paused");
    return {};
  },
  "subscription/users/update": (desk, fields) => {
    const id = innerOf(desk, fields["subscription_id"] ?? "");
    if (id === undefined) throw new PaddleProblem(200, "119", "Unable to find requested subscription");
    const changed = fields["pause"] === "true" ? desk.billing.pause(id, false) : desk.billing.resume(id);
    return { subscription_id: Number(fields["subscription_id"]), next_payment: { date: day(changed.next_billed_at) } };
  },
  "payment/refund": (desk, fields) => {
    const transaction = paidOf(desk).find((candidate) => orderIdOf(desk, candidate) === fields["order_id"]);
    if (transaction === undefined) throw new PaddleProblem(200, "172", "Unable to find requested order");
    const left = desk.billing.leftOf(transaction.id);
    const wanted = fields["amount"] === undefined ? left : Math.round(Number(fields["amount"]) * minorUnitsOf(transaction.currency_code));
    if (wanted <= 0 || wanted > left) throw new PaddleProblem(200, "175", "The refund is more than is left of the order");
    const isWhole = wanted === Number(transaction.details?.totals?.grand_total);
    desk.billing.adjust(transaction.id, "refund", isWhole ? "full" : "partial", wanted);
    return { refund_request_id: desk.nextNumber() };
  },
  "subscription/plans": (desk) =>
    desk.prices.flatMap((price) =>
      price.every === null
        ? []
        : [
            {
              id: Number(price.id),
              name: price.name,
              billing_type: price.every.interval,
              billing_period: price.every.frequency,
              trial_days: price.trialDays,
              initial_price: { [price.currency]: major(price.trialDays > 0 ? 0 : price.amount, price.currency) },
              recurring_price: { [price.currency]: major(price.amount, price.currency) },
            },
          ],
    ),
  "product/get_products": (desk) => ({
    total: desk.prices.length,
    products: desk.prices
      .filter((price) => price.every === null)
      .map((price) => ({
        id: Number(price.id),
        name: price.name,
        base_price: Number(major(price.amount, price.currency)),
        currency: price.currency,
      })),
  }),
};
