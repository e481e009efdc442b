import type { Locale } from "../locales.ts";

export type Platform = "android" | "apple" | "other";

/** What the engine needs to know of the world; it never looks by itself. */
export interface Context {
  readonly locale: Locale;
  /** ISO 3166 alpha-2; MX when unknown (spec 000 §7). */
  readonly country: string;
  readonly platform: Platform;
  readonly requiresMarketingConsent: boolean;
  /** YYYY-MM-DD in the visitor's time zone. */
  readonly today: string;
}
