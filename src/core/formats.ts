/** Numbers, dates and money as a locale writes them (spec 001 §9). Dates come and go as YYYY-MM-DD. */
import { type Locale, localeTraits } from "./locales.ts";
import { oncePer } from "./once.ts";

export interface Formats {
  readonly number: (value: number) => string;
  readonly percent: (fraction: number) => string;
  /** Minor units and ISO currency; whole amounts without decimals. BRL R$, EUR €, CHF no symbol, others $ (spec 001 §9). */
  readonly money: (minorUnits: number, currency: string) => string;
  /** D/M/YYYY (spec 000 §9). */
  readonly shortDate: (date: string) => string;
  /** "27 de noviembre de 2026"; day and month stay on one line */
  readonly longDate: (date: string) => string;
  /** "mayo de 2027" */
  readonly monthAndYear: (date: string) => string;
  /** "mayo" */
  readonly month: (date: string) => string;
  /** "may" */
  readonly shortMonth: (date: string) => string;
  /** 0 = Monday; "L", "lunes". Narrow is a letter where seven letters tell the days apart, else the short form ("Seg"). */
  readonly weekday: (day: number, width: "narrow" | "short" | "long") => string;
  readonly list: (items: readonly string[]) => string;
}

/**
 * Minor units in one major unit; the catalogue's currencies without decimals are CLP alone. What is said of Colombia's pesos changes with
 * the release of a runtime's data (CLDR 48: none): a price is counted in their centavos, as ISO 4217 and Paddle do.
 */
export function minorUnitsOf(currency: string): number {
  if (currency === "COP") return 100;
  return 10 ** (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2);
}

/** An amount in whole units of its currency, as those who count what was bought have it. */
export function majorUnits(amount: number, currency: string): number {
  return amount / minorUnitsOf(currency);
}

/** Seven dates, Monday first. */
const week = Array.from({ length: 7 }, (_, day) => `2026-01-${String(5 + day).padStart(2, "0")}`);

function symbolOf(currency: string): string {
  if (currency === "BRL") return "R$";
  if (currency === "EUR") return "€";
  return currency === "CHF" ? "" : "$";
}

/** Day, hour and minute with the zone they are counted in: "23. November 2026 um 11:41:07 MEZ". */
export function momentIn(locale: Locale, at: string | number, timeZone = "UTC"): string {
  return new Intl.DateTimeFormat(localeTraits[locale].intl, { dateStyle: "long", timeStyle: "long", timeZone }).format(new Date(at));
}

/** The formats of a locale, made once. */
export const formatsFor: (locale: Locale) => Formats = oncePer(makeFormats);

function makeFormats(locale: Locale): Formats {
  const intl = localeTraits[locale].intl;
  const at = (date: string) => new Date(`${date}T12:00:00Z`);
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(intl, { ...options, timeZone: "UTC" });
    return (date: string) => format.format(at(date));
  };
  const long = new Intl.DateTimeFormat(intl, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const dayOrMonth = (part: Intl.DateTimeFormatPart | undefined) => part?.type === "day" || part?.type === "month";
  const shortMonth = dates({ month: "short" });
  const number = new Intl.NumberFormat(intl);
  const percent = new Intl.NumberFormat(intl, { style: "percent", maximumFractionDigits: 0 });
  const list = new Intl.ListFormat(intl);
  const narrow = dates({ weekday: "narrow" });
  const lettersDiffer = new Set(week.map(narrow)).size === week.length;
  const weekdays = {
    narrow: lettersDiffer ? narrow : dates({ weekday: "short" }),
    short: dates({ weekday: "short" }),
    long: dates({ weekday: "long" }),
  };
  return {
    number: (value) => number.format(value),
    percent: (fraction) => percent.format(fraction),
    money: (minorUnits, currency) => {
      const unit = minorUnitsOf(currency);
      const digits = minorUnits % unit === 0 ? 0 : Math.round(Math.log10(unit));
      // A locale writes a currency that it does not know apart ("PEN 50"); all are written as it writes dollars, with our symbol.
      const parts = new Intl.NumberFormat(intl, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).formatToParts(minorUnits / unit);
      return parts
        .map((part) => (part.type === "currency" ? symbolOf(currency) : part.value))
        .join("")
        .trim();
    },
    shortDate: (date) => {
      const [year, month, day] = date.split("-").map(Number);
      return `${day}/${month}/${year}`;
    },
    longDate: (date) =>
      long
        .formatToParts(at(date))
        .map(({ value }, index, parts) => (dayOrMonth(parts[index + 1]) ? value.replaceAll(" ", "\u00a0") : value))
        .join(""),
    monthAndYear: dates({ month: "long", year: "numeric" }),
    month: dates({ month: "long" }),
    // Portuguese and others abbreviate with a full stop, which a chart's label does without.
    shortMonth: (date) => shortMonth(date).replace(".", ""),
    weekday: (day, width) => weekdays[width](week[day] ?? "").replace(".", ""),
    list: (items) => list.format(items),
  };
}
