/** What an offer comes to: what is due today, when what is paid next, and the price to compare by. */
import { feePerMonth, feePerWeek, parsePlan } from "./money.ts";
import type { Product } from "./products.ts";
import { dayIn, periodEnd } from "./questionnaire/calendar.ts";

export interface OfferTerms {
  /** Length of what one charge pays for: three months, one week. */
  readonly count: number;
  readonly unit: "week" | "month";
  readonly renews: boolean;
  /** Minor units; nothing while a trial runs. */
  readonly dueToday: number;
  /** YYYY-MM-DD of the charge after today's, where the buyer lives; null for what is paid once. */
  readonly nextCharge: string | null;
  /** The day on which what is paid once ends, where the buyer lives; null for what renews. */
  readonly end: string | null;
  /** Price per month or week, and the struck list price where there is a saving; minor units. */
  readonly perUnit: number;
  readonly listPerUnit: number | null;
}

/** A time, in milliseconds since 1970, and the time zone in which somebody looks at it. */
export interface Moment {
  readonly now: number;
  readonly timeZone: string;
}

/** In which time zone a provider's charges have their day: Paddle Classic names days of its own, without a time, and they are shown as it names them. */
export function chargeZone(provider: string, timeZone: string): string {
  return provider === "paddle" ? "UTC" : timeZone;
}

/** The terms of a product bought now: its next charge as the provider counts it, on the day that this is for the buyer. */
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

/** Key of the interface text that says when what is paid and how it renews; it takes DATE, PRICE, LENGTH and EVERY. */
export function termsText({ renews, dueToday }: OfferTerms): "block.price.onetime" | "block.price.renewsTrial" | "block.price.renews" {
  if (!renews) return "block.price.onetime";
  return dueToday === 0 ? "block.price.renewsTrial" : "block.price.renews";
}

/** The code to set beside an amount, null where its sign says it all: the others share the dollar sign or have none (spec 001 §9). */
export function currencyCode(currency: string): string | null {
  return currency === "EUR" || currency === "BRL" ? null : currency;
}

/** Where consumer prices must be said to include the tax. */
export function taxIncluded(currency: string): boolean {
  return currency === "EUR" || currency === "CHF";
}
