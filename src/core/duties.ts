/**
 * Legal duties of a site that sells online subscriptions, by the buyer's country (decision 130 lists the sources; have counsel confirm).
 * Pages are the same for every visitor, so a locale's pages fulfill the duties of every country that the locale is written for. A
 * contract has the duties of its locale and of its buyer's country.
 */
import { lawCountries } from "./localeReach.ts";
import type { Locale } from "./locales.ts";

export const duties = [
  /** A link to the site's operator on every page. */
  "imprint",
  /** Cancel without login, linked from every page. */
  "cancelButton",
  /** Withdraw without login, linked from every page. */
  "withdrawalButton",
  /** After a renewal the contract can be ended monthly, and the unused part of the payment is refunded. */
  "renewalAfterTerm",
  /** Storing anything that is not strictly necessary on the device requires consent (spec 000 §9). */
  "storageConsent",
  /** A struck-out price must have been charged within the last 30 days. */
  "priorPrice",
  /** A link that stops the sale and sharing of personal data. A browser's Sec-GPC header counts as a click on it. */
  "doNotSell",
  /** A mail before a yearly subscription renews. */
  "renewalReminder",
  /** A mail 15 days before any renewal of a fixed term. */
  "renewalNotice",
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
  ES: [...union, "renewalNotice"],
  IT: [...union, "renewalReminder"],
  GB: ["imprint", "storageConsent", "priorPrice"],
  CH: ["imprint", "storageConsent", "priorPrice"],
  BR: ["imprint", "withdrawalButton", "storageConsent"],
  AR: ["imprint", "cancelButton", "withdrawalButton"],
  MX: ["imprint", "renewalNotice"],
  CO: ["imprint"],
  CL: ["imprint"],
  PE: ["imprint"],
  US: ["doNotSell", "renewalReminder"],
};

/** Countries with a row in the table. */
export const countriesWithDuties: readonly string[] = Object.keys(byCountry);
/** Empty for a country without a row: nothing is advertised there. */
export const dutiesIn = (country: string): readonly Duty[] => (Object.hasOwn(byCountry, country) ? byCountry[country] : undefined) ?? [];

/** Whether a locale's pages and texts must fulfill a duty. */
export function isDutyOf(locale: Locale, duty: Duty): boolean {
  return lawCountries[locale].some((country) => dutiesIn(country).includes(duty));
}

/** The locale in which a contract was made, and the buyer's country where it is known. */
export interface Contract {
  readonly locale: Locale;
  readonly country: string | null;
}

export const countriesOf = ({ locale, country }: Contract): readonly string[] => [
  ...lawCountries[locale],
  ...(country === null ? [] : [country]),
];

export function contractHasDuty(duty: Duty, contract: Contract): boolean {
  return countriesOf(contract).some((country) => dutiesIn(country).includes(duty));
}
