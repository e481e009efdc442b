import type { Locale } from "../locales.ts";

export type Platform = "android" | "apple" | "other";

/** All that the engine knows about the outside world. The engine reads nothing else. */
export interface Context {
  readonly locale: Locale;
  /** ISO 3166 alpha-2; MX when unknown (spec 000 §7). */
  readonly country: string;
  readonly platform: Platform;
  readonly requiresMarketingConsent: boolean;
  /** YYYY-MM-DD in the visitor's time zone. */
  readonly today: string;
}
