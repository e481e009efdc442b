/** The withdrawal period for online purchases by country, with the law behind it (decision 130; have counsel confirm). */
import { type Contract, countriesOf, dutiesIn } from "./duties.ts";
import { lawCountries } from "./localeReach.ts";
import type { Locale } from "./locales.ts";

export interface Withdrawal {
  readonly days: number;
  readonly counted: "calendar" | "business";
  /** The law, as the country itself cites it. */
  readonly law: string;
}

const calendar = (days: number, law: string): Withdrawal => ({ days, counted: "calendar", law });
const business = (days: number, law: string): Withdrawal => ({ days, counted: "business", law });

export const withdrawals: Readonly<Record<string, Withdrawal>> = {
  ...Object.fromEntries(
    "BE BG CY CZ DK EE FI GR HR HU IE IS LI LT LU LV MT NL NO PL RO SE SI SK"
      .split(" ")
      .map((code) => [code, calendar(14, "Directive 2011/83/EU, art. 9")]),
  ),
  DE: calendar(14, "§ 355 BGB"),
  AT: calendar(14, "§ 11 FAGG"),
  ES: calendar(14, "art. 102 TRLGDCU"),
  FR: calendar(14, "art. L221-18 Code de la consommation"),
  IT: calendar(14, "art. 52 Codice del consumo"),
  PT: calendar(14, "art. 10.º DL 24/2014"),
  GB: calendar(14, "Consumer Contracts Regulations 2013, reg. 30"),
  BR: calendar(7, "art. 49 CDC"),
  AR: calendar(10, "art. 34, Ley 24.240"),
  CL: calendar(10, "art. 3 bis, Ley 19.496"),
  MX: business(5, "art. 56 LFPC"),
  CO: business(5, "art. 47, Ley 1480 de 2011"),
};

/**
 * The withdrawal period that a locale's page names, in days. It is the period of the locale's first country that requires the page. Without one, it is the
 * period of its first country that has one; else 0.
 */
export function displayedWithdrawalDays(locale: Locale): number {
  const asking = lawCountries[locale].find((code) => dutiesIn(code).includes("withdrawalButton"));
  const country = asking ?? lawCountries[locale].find((code) => withdrawals[code] !== undefined);
  return country === undefined ? 0 : (withdrawals[country]?.days ?? 0);
}

/** The withdrawal period that a buyer in the country is told before paying and on the receipt, in days; 0 where no law demands the page. */
export function toldWithdrawalDays(country: string): number {
  return dutiesIn(country).includes("withdrawalButton") ? (withdrawals[country]?.days ?? 0) : 0;
}

/** A business week counts as a calendar week, plus three days in all for holidays, so that no period is too short. */
export const calendarDays = ({ days, counted }: Omit<Withdrawal, "law">): number =>
  counted === "business" ? Math.ceil(days / 5) * 7 + 3 : days;

/** The longest withdrawal period of all laws that may apply, in days after the order; 0 without such a law. */
export function withdrawalDays(contract: Contract): number {
  const periods = countriesOf(contract).flatMap((country) => withdrawals[country] ?? []);
  return Math.max(0, ...periods.map(calendarDays));
}
