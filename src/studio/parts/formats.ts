/** Formats dates (UTC), numbers and money in the operator's locale. The studio's texts are English. */
import { parsePlan } from "#core/money.ts";
import { minorUnitsOf } from "#core/formats.ts";

const locale = navigator.language;
const kept = new Map<string, Intl.NumberFormat>();
function numbers(options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, "format"> {
  const key = JSON.stringify(options);
  const made = kept.get(key) ?? new Intl.NumberFormat(locale, options);
  kept.set(key, made);
  // Many locales format a minus as a hyphen.
  const format = (value: number | bigint) =>
    made
      .formatToParts(value)
      .map((part) => (part.type === "minusSign" ? "−" : part.value))
      .join("");
  return { format };
}
/** Month names are English, like the texts around them; the order of day and month follows the operator's locale. */
const dateLocale = locale.startsWith("en") ? locale : "en-GB";
const dates = {
  day: new Intl.DateTimeFormat(dateLocale, { timeZone: "UTC", day: "numeric", month: "short" }),
  dayAndYear: new Intl.DateTimeFormat(dateLocale, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" }),
  long: new Intl.DateTimeFormat(dateLocale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  weekday: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "long" }),
  time: new Intl.DateTimeFormat(locale, { timeZone: "UTC", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  full: new Intl.DateTimeFormat(dateLocale, { timeZone: "UTC", dateStyle: "full", timeStyle: "medium" }),
} as const;

const isThisYear = (at: number) => new Date(at).getUTCFullYear() === new Date().getUTCFullYear();

export const inWords = {
  count: (value: number) => numbers({ maximumFractionDigits: 0 }).format(value),
  /** A count with its noun. The plural must end in -s. */
  counted: (value: number, noun: string) => `${inWords.count(value)} ${noun}${value === 1 ? "" : "s"}`,
  /** A product's plan: "3M" is "3 months". */
  plan: (plan: string) => {
    const { count, unit } = parsePlan(plan);
    return inWords.counted(count, unit);
  },
  number: (value: number, digits = 1) => numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
  /** A fraction of 1 as a percentage. */
  share: (value: number, digits = 1) =>
    numbers({ style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
  /** With a sign, unless it is zero. */
  signed: (value: number, digits = 1) =>
    numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" }).format(value),
  /** A fraction of 1 as a signed percentage. */
  difference: (value: number, digits = 0) =>
    numbers({
      style: "percent",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: "exceptZero",
    }).format(value),
  /** An amount in minor units. */
  money: (minor: number, currency: string) => {
    const format = numbers({ style: "currency", currency });
    return format.format(minor / minorUnitsOf(currency));
  },
  /** An amount in minor units, rounded to whole units. */
  wholeMoney: (minor: number, currency: string) =>
    numbers({ style: "currency", currency, maximumFractionDigits: 0 }).format(minor / minorUnitsOf(currency)),
  /** Accepts `2026-11-20` or milliseconds. */
  day: (at: number | string) => dates.day.format(new Date(at)),
  dayAndYear: (at: number | string) => dates.dayAndYear.format(new Date(at)),
  longDay: (at: number | string) => dates.long.format(new Date(at)),
  weekday: (at: number) => dates.weekday.format(at),
  time: (at: number) => dates.time.format(at),
  /** Includes the year when it is not the current one. */
  moment: (at: number) => `${(isThisYear(at) ? dates.day : dates.dayAndYear).format(at)}, ${dates.time.format(at)}`,
  fullMoment: (at: number) => `${dates.full.format(at)} UTC`,
  lasting,
} as const;

const second = 1_000;
const units = [
  ["d", 86_400 * second],
  ["h", 3_600 * second],
  ["min", 60 * second],
  ["s", second],
] as const;

/** A duration in its two largest units: "2 h 38 min". */
function lasting(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  const at = units.findIndex(([, size]) => ms >= size);
  const [unit, size] = units[at] ?? units[3];
  const whole = Math.floor(ms / size);
  const next = units[at + 1];
  const rest = next === undefined ? 0 : Math.floor((ms - whole * size) / next[1]);
  return `${whole} ${unit}${next === undefined || rest === 0 || (unit === "d" && whole > 9) ? "" : ` ${rest} ${next[0]}`}`;
}
