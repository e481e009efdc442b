/** What is sold, as GET products returns it (spec 001 §3, §7). Money is an integer in minor units. */
import * as v from "valibot";

export const productTypes = ["onetime", "subscription"] as const;
export const paymentProviders = ["paddle", "paddlebilling"] as const;

export const productSchema = v.object({
  productId: v.string(),
  productType: v.picklist(productTypes, "Unknown productType"),
  /** Length as `3M` or `1W`: a number and M or W. The default is one month (spec 001 §3). */
  productPlan: v.optional(v.string(), "1M"),
  currency: v.string(),
  price: v.pipe(v.number(), v.integer(), v.minValue(0)),
  listPrice: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** A subscription is charged once every `frequency` plan lengths. 0 for a one-time purchase. */
  frequency: v.number(),
  trialDays: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The person has already used the trial and pays at once. */
  trialUsed: v.optional(v.boolean()),
  paymentProvider: v.picklist(paymentProviders),
});
export type Product = v.InferOutput<typeof productSchema>;
export type ProductType = Product["productType"];
export type PaymentProviderName = (typeof paymentProviders)[number];

/** The maximum of free days that operators may give one person within 365 days. */
export const maxGrantedDays = 366;

/** Cancel and pause take effect at the end of the paid period, resume at once. Keep undoes a scheduled cancellation or pause. */
export const subscriptionActions = ["cancel", "pause", "resume", "keep"] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];
