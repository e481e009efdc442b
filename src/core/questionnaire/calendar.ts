/** Calendar arithmetic on YYYY-MM-DD dates, and the date of a time in a time zone. Reads no clock. */

/** The same day `months` later, or the month's last day if that day does not exist (31 January + 1 month = 28 or 29 February). */
export function addMonths(date: string, months: number): string {
  const day = at(date);
  const target = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(day.getUTCDate(), lastDay));
  return target.toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  const day = at(date);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

function at(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** The UTC date (YYYY-MM-DD) of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Milliseconds in a UTC day. */
const dayMs = 86_400_000;

/** Days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (at(to).getTime() - at(from).getTime()) / dayMs;
}

/** The end of a period as payment providers calculate it: in UTC, and 31 January plus one month is the last day of February. */
export function periodEnd(start: number, count: number, unit: "day" | "week" | "month"): number {
  if (unit !== "month") return start + count * (unit === "week" ? 7 : 1) * dayMs;
  const day = at(dayOf(start)).getTime();
  return at(addMonths(dayOf(start), count)).getTime() + start - day;
}

/** The date (YYYY-MM-DD) of a time in milliseconds since 1970, in a time zone such as "America/Mexico_City". */
export function dayIn(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(time);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** Whether this is the name of a known time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** 0 = Monday … 6 = Sunday. */
export function weekdayOf(date: string): number {
  return (at(date).getUTCDay() + 6) % 7;
}
