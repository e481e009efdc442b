/** What is sold, as GET products gives it (spec 001 §3, §7). Money is an integer in minor units. */
import * as v from "valibot";

export const productTypes = ["onetime", "subscription"] as const;
export const paymentProviders = ["paddle", "paddlebilling"] as const;

export const productSchema = v.object({
  productId: v.string(),
  productType: v.picklist(productTypes, "Unknown productType"),
  /** `3M`, `1W`: a number and M or W; a product that does not say is a month's (spec 001 §3). */
  productPlan: v.optional(v.string(), "1M"),
  currency: v.string(),
  price: v.pipe(v.number(), v.integer(), v.minValue(0)),
  listPrice: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** How often a subscription is charged, in units of its plan; 0 for one-time. */
  frequency: v.number(),
  trialDays: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** It has a trial, which this person has had: they pay at once. */
  trialUsed: v.optional(v.boolean()),
  paymentProvider: v.picklist(paymentProviders),
});
export type Product = v.InferOutput<typeof productSchema>;
export type PaymentProviderName = (typeof paymentProviders)[number];

/** Cancel and pause take effect at the end of what is paid, resume at once; keep: what was going to happen does not. */
export const subscriptionActions = ["cancel", "pause", "resume", "keep"] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];
