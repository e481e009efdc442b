/** How long a purchase on the internet can be withdrawn from, by country, with the law that says so (decision 130; have counsel confirm). */
import { type Contract, countriesOf, dutiesIn } from "./duties.ts";
import { written } from "./localeReach.ts";
import type { Locale } from "./locales.ts";

export interface Withdrawal {
  readonly days: number;
  readonly counted: "calendar" | "business";
  /** As its own country cites it. */
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

/** What a locale's page names: the period of the country that asks for the page, else of the first that has one; 0 where none has. */
export function toldDays(locale: Locale): number {
  const asking = written[locale].find((country) => dutiesIn(country).includes("withdrawalButton") && withdrawals[country] !== undefined);
  const country = asking ?? written[locale].find((code) => withdrawals[code] !== undefined);
  return country === undefined ? 0 : (withdrawals[country]?.days ?? 0);
}

/** A working week is a calendar week, and three days for holidays in it: nobody's right is cut short by our counting. */
const calendarDays = ({ days, counted }: Withdrawal): number => (counted === "business" ? Math.ceil(days / 5) * 7 + 3 : days);

/** So many days after the order a withdrawal is in time by any law that may hold; 0 where none gives any. */
export function withdrawalDays(contract: Contract): number {
  const periods = countriesOf(contract).flatMap((country) => withdrawals[country] ?? []);
  return Math.max(0, ...periods.map(calendarDays));
}
