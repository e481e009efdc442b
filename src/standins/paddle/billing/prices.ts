/** What the stand-in sells: prices and discount codes as its options give them, and as the API shows them. */
import type { CurrencyCode, IDiscountResponse, IPriceResponse } from "@paddle/paddle-node-sdk";
import { PaddleProblem } from "../problem.ts";

export interface StandinPrice {
  readonly id: string;
  readonly name: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Null for one-time prices. */
  readonly every: { readonly interval: "week" | "month"; readonly frequency: number } | null;
  readonly trialDays: number;
}

export interface StandinDiscount {
  readonly id: string;
  readonly code: string;
  readonly percentage: number;
  readonly recurring: boolean;
  /** Price ids; null for all. */
  readonly prices: readonly string[] | null;
}

const currencyCodes: readonly CurrencyCode[] = ["MXN", "BRL", "ARS", "COP", "CLP", "PEN", "CHF", "EUR", "USD", "GBP"];

/** When every price and discount was made. */
const started = "2026-01-01T00:00:00.000Z";
export const currencyOf = (code: string): CurrencyCode => {
  const known = currencyCodes.find((candidate) => candidate === code);
  if (known === undefined) throw new PaddleProblem(400, "transaction_currency_code_invalid", `no price in ${code}`);
  return known;
};

export function priceEntity(price: StandinPrice): IPriceResponse {
  return {
    id: price.id,
    product_id: "pro_parlando",
    description: price.name,
    name: price.name,
    type: "standard",
    billing_cycle: price.every,
    trial_period: price.trialDays > 0 ? { interval: "day", frequency: price.trialDays, requires_payment_method: true } : null,
    tax_mode: "internal",
    unit_price: { amount: String(price.amount), currency_code: currencyOf(price.currency) },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 1 },
    status: "active",
    custom_data: null,
    created_at: started,
    updated_at: started,
  };
}

export function discountEntity(discount: StandinDiscount): IDiscountResponse {
  return {
    id: discount.id,
    status: "active",
    description: discount.code,
    enabled_for_checkout: true,
    code: discount.code,
    mode: "standard",
    type: "percentage",
    amount: String(discount.percentage),
    currency_code: null,
    recur: discount.recurring,
    maximum_recurring_intervals: null,
    usage_limit: null,
    restrict_to: discount.prices === null ? null : [...discount.prices],
    expires_at: null,
    custom_data: null,
    times_used: 0,
    created_at: started,
    updated_at: started,
    discount_group_id: null,
    discount_group: null,
    import_meta: null,
  };
}

export function productEntity() {
  return {
    id: "pro_parlando",
    name: "Parlando",
    type: "standard" as const,
    description: null,
    tax_category: "standard" as const,
    image_url: null,
    custom_data: null,
    status: "active" as const,
    created_at: started,
    updated_at: started,
  };
}
