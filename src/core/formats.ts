/** Numbers, dates and money in the format of a locale (spec 001 §9). Dates are YYYY-MM-DD strings. */
import { type Locale, localeTraits } from "./locales.ts";
import { memoize } from "./memoize.ts";

export interface Formats {
  readonly number: (value: number) => string;
  readonly percent: (fraction: number) => string;
  /** Takes minor units and an ISO currency; whole amounts without decimals. BRL R$, EUR €, CHF no symbol, others $ (spec 001 §9). */
  readonly money: (minorUnits: number, currency: string) => string;
  /** D/M/YYYY (spec 000 §9). */
  readonly shortDate: (date: string) => string;
  /** "27 de noviembre de 2026"; no line break between day and month. */
  readonly longDate: (date: string) => string;
  /** "mayo de 2027" */
  readonly monthAndYear: (date: string) => string;
  /** "mayo" */
  readonly month: (date: string) => string;
  /** "may" */
  readonly shortMonth: (date: string) => string;
  /** 0 = Monday; "L", "lunes". Narrow is one letter where seven letters are distinct, else the short form ("Seg"). */
  readonly weekday: (day: number, width: "narrow" | "short" | "long") => string;
  readonly list: (items: readonly string[]) => string;
}

/**
 * Minor units per major unit. CLP is the catalogue's only currency without decimals. Runtimes disagree about Colombian pesos (CLDR 48 has
 * no decimals); a price here counts centavos, as ISO 4217 and Paddle do.
 */
export function minorUnitsOf(currency: string): number {
  if (currency === "COP") return 100;
  return 10 ** (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2);
}

/** An amount in major units, as analytics services expect it. */
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

/** Date and time with the name of the time zone: "23. November 2026 um 11:41:07 MEZ". */
export function momentIn(locale: Locale, at: string | number, timeZone = "UTC"): string {
  const format = new Intl.DateTimeFormat(localeTraits[locale].intl, { dateStyle: "long", timeStyle: "long", timeZone });
  return partsOf(locale, format, new Date(at))
    .map(({ value }) => value)
    .join("");
}

/** The parts of a date in words. Portuguese writes the first of a month as an ordinal ("1º de dezembro"), which Intl does not. */
function partsOf(locale: Locale, format: Intl.DateTimeFormat, date: Date): Intl.DateTimeFormatPart[] {
  const parts = format.formatToParts(date);
  if (locale !== "pt-BR") return parts;
  return parts.map((part) => (part.type === "day" && part.value === "1" ? { ...part, value: "1º" } : part));
}

/** The formats of a locale, created once. */
export const formatsFor: (locale: Locale) => Formats = memoize(makeFormats);

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
  // Our English texts have no comma before the last "and" of a series, so English lists use British rules.
  const list = new Intl.ListFormat(locale === "en-US" ? "en-GB" : intl);
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
      // Locales write a foreign currency as a code ("PEN 50"). Every currency is written like dollars instead, with our symbol.
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
      partsOf(locale, long, at(date))
        .map(({ value }, index, parts) => (dayOrMonth(parts[index + 1]) ? value.replaceAll(" ", "\u00a0") : value))
        .join(""),
    monthAndYear: dates({ month: "long", year: "numeric" }),
    month: dates({ month: "long" }),
    // Some locales, such as Portuguese, abbreviate months with a full stop. Chart labels omit it.
    shortMonth: (date) => shortMonth(date).replace(".", ""),
    weekday: (day, width) => weekdays[width](week[day] ?? "").replace(".", ""),
    list: (items) => list.format(items),
  };
}
