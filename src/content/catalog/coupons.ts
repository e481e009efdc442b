/** Discount codes. The same codes exist at the payment provider, which is the one that deducts them. */
export interface Coupon {
  /** Upper case; a visitor may type it either way. */
  readonly code: string;
  readonly percentage: number;
  /** Renewals are reduced too, the first one after a trial among them: every price beside a renewal says so (decision 066). */
  readonly recurring: true;
  /** Plans it is good for; without the field, all. */
  readonly plans?: readonly string[];
}

export const coupons: readonly Coupon[] = [
  // Version 69's half price.
  { code: "PARLANDO50", percentage: 50, recurring: true },
  // The reactivation page's.
  { code: "VUELVE30", percentage: 30, recurring: true, plans: ["6M", "12M"] },
  { code: "AMIGOS20", percentage: 20, recurring: true },
];
