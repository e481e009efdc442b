/** The terms of an offer: what is due today, when the next charge comes, and the price for comparison. */
import { feePerMonth, feePerWeek, parsePlan } from "./money.ts";
import type { Product } from "./products.ts";
import { dayIn, periodEnd } from "./questionnaire/calendar.ts";

export interface OfferTerms {
  /** Length of the period that one charge pays for: 3 months, 1 week. */
  readonly count: number;
  readonly unit: "week" | "month";
  readonly renews: boolean;
  /** Minor units; 0 while a trial runs. */
  readonly dueToday: number;
  /** YYYY-MM-DD of the next charge after today, in the buyer's time zone; null for one-time purchases. */
  readonly nextCharge: string | null;
  /** The day on which a one-time purchase ends, in the buyer's time zone; null for subscriptions. */
  readonly end: string | null;
  /** Price per month or week, and the struck-out list price if there is a discount; minor units. */
  readonly perUnit: number;
  readonly listPerUnit: number | null;
}

/** A time in milliseconds since 1970, and the reader's time zone. */
export interface Moment {
  readonly now: number;
  readonly timeZone: string;
}

/** The time zone for a provider's charge dates. Paddle Classic gives dates without a time; they are shown unchanged. */
export function chargeZone(provider: string, timeZone: string): string {
  return provider === "paddle" ? "UTC" : timeZone;
}

/** The terms of a product bought now. The provider's rules give the time of the next charge; its date is shown in the buyer's time zone. */
export function termsOf(product: Product, { now, timeZone }: Moment): OfferTerms {
  const { count, unit } = parsePlan(product.productPlan);
  const renews = product.productType === "subscription";
  const trial = renews && product.trialDays > 0;
  const perUnit = (price: number) => (unit === "month" ? feePerMonth({ ...product, price }) : feePerWeek({ ...product, price }));
  const next = dayIn(
    trial ? periodEnd(now, product.trialDays, "day") : periodEnd(now, count, unit),
    chargeZone(product.paymentProvider, timeZone),
  );
  return {
    count,
    unit,
    renews,
    dueToday: trial ? 0 : product.price,
    nextCharge: renews ? next : null,
    end: renews ? null : next,
    perUnit: perUnit(product.price),
    listPerUnit: product.listPrice > product.price ? perUnit(product.listPrice) : null,
  };
}

/** Key of the interface text that says when the product is paid and how it renews; it takes DATE, PRICE, LENGTH and EVERY. */
export function termsText({ renews, dueToday }: OfferTerms): "block.price.onetime" | "block.price.renewsTrial" | "block.price.renews" {
  if (!renews) return "block.price.onetime";
  return dueToday === 0 ? "block.price.renewsTrial" : "block.price.renews";
}

/**
 * The code beside an amount, or null where the currency sign is unambiguous. The other currencies share the dollar sign or have no sign
 * (spec 001 §9).
 */
export function currencyCode(currency: string): string | null {
  return currency === "EUR" || currency === "BRL" ? null : currency;
}

/** Whether consumer prices must be labelled as including tax. */
export function taxIncluded(currency: string): boolean {
  return currency === "EUR" || currency === "CHF";
}
