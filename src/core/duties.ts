/**
 * What the law asks of a site that sells online subscriptions, by the buyer's country (decision 130: sources, have counsel confirm). Pages are the
 * same for everybody and know no country: they follow their locale, which has every duty of every country that it is written for. A contract
 * follows its locale and its buyer's country, whichever gives more.
 */
import { written } from "./localeReach.ts";
import type { Locale } from "./locales.ts";

export const duties = [
  /** Who runs the site, one step away from every page. */
  "imprint",
  /** Cancelling without logging in, from every page. */
  "cancelButton",
  /** Withdrawing without logging in, from every page. */
  "withdrawalButton",
  /** A renewed term can be ended by the month, and what is paid beyond it goes back. */
  "renewalAfterTerm",
  /** What is not strictly necessary is stored on the device with consent only (spec 000 §9). */
  "storageConsent",
  /** A struck price is one that was asked in the last 30 days. */
  "priorPrice",
  /** A link that stops the sale and sharing of personal data; a browser's Sec-GPC counts as it. */
  "doNotSell",
  /** A mail before a yearly term renews. */
  "renewalReminder",
] as const;
export type Duty = (typeof duties)[number];

const union: readonly Duty[] = ["imprint", "withdrawalButton", "storageConsent", "priorPrice"];

/** By ISO 3166 country. */
const byCountry: Readonly<Record<string, readonly Duty[]>> = {
  ...Object.fromEntries(
    "AT BE BG CY CZ DK EE FI GR HR HU IE IS LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" ").map((code) => [code, union]),
  ),
  DE: [...union, "cancelButton", "renewalAfterTerm"],
  FR: [...union, "cancelButton"],
  ES: [...union, "renewalReminder"],
  IT: [...union, "renewalReminder"],
  GB: ["imprint", "storageConsent"],
  CH: ["imprint", "storageConsent"],
  BR: ["imprint", "withdrawalButton", "storageConsent"],
  AR: ["imprint", "cancelButton", "withdrawalButton"],
  MX: ["imprint"],
  CO: ["imprint"],
  CL: ["imprint"],
  PE: ["imprint"],
  US: ["doNotSell", "renewalReminder"],
};

/** Those that have any. */
export const countriesWithDuties: readonly string[] = Object.keys(byCountry);
/** None where the table has no row: nothing is advertised there. */
export const dutiesIn = (country: string): readonly Duty[] => (Object.hasOwn(byCountry, country) ? byCountry[country] : undefined) ?? [];

/** Whether the pages and texts of a locale have a duty. */
export function isDutyOf(locale: Locale, duty: Duty): boolean {
  return written[locale].some((country) => dutiesIn(country).includes(duty));
}

/** Made in a locale, by a buyer of a country where that is known. */
export interface Contract {
  readonly locale: Locale;
  readonly country: string | null;
}

export const countriesOf = ({ locale, country }: Contract): readonly string[] => [
  ...written[locale],
  ...(country === null ? [] : [country]),
];

export function binds(duty: Duty, contract: Contract): boolean {
  return countriesOf(contract).some((country) => dutiesIn(country).includes(duty));
}
