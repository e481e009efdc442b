/** Discount codes. The payment provider has the same codes and applies the discount. */
export interface Coupon {
  /** Upper case; visitors may type it in any case. */
  readonly code: string;
  readonly percentage: number;
  /** The discount also applies to renewals, including the first charge after a trial. Every renewal price on a page says so (decision 066). */
  readonly recurring: true;
  /** Plans that accept the code; without the field, all. */
  readonly plans?: readonly string[];
}

export const coupons: readonly Coupon[] = [
  // Version 69's 50 % discount.
  { code: "PARLANDO50", percentage: 50, recurring: true },
  // The reactivation page's discount.
  { code: "VUELVE30", percentage: 30, recurring: true, plans: ["6M", "12M"] },
  { code: "AMIGOS20", percentage: 20, recurring: true },
];
