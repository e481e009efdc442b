/** Calendar arithmetic on YYYY-MM-DD, without a clock; and what day a time is where somebody lives. */

/** The same day `months` later; the month's last day where that day does not exist (31 January + 1 month = 28 or 29 February). */
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

/** The day in UTC of a time in milliseconds since 1970: YYYY-MM-DD. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Milliseconds of a day in UTC. */
const dayMs = 86_400_000;

/** How many days after `from` a day is; negative when it is before. */
export function daysBetween(from: string, to: string): number {
  return (at(to).getTime() - at(from).getTime()) / dayMs;
}

/** When a period that starts at a time ends, as payment providers count: in UTC, and the 31st plus a month is the last of the next. */
export function periodEnd(start: number, count: number, unit: "day" | "week" | "month"): number {
  if (unit !== "month") return start + count * (unit === "week" ? 7 : 1) * dayMs;
  const day = at(dayOf(start)).getTime();
  return at(addMonths(dayOf(start), count)).getTime() + start - day;
}

/** The day at a time in milliseconds since 1970, where clocks show this zone ("America/Mexico_City"): YYYY-MM-DD. */
export function dayIn(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(time);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** Whether this is the name of a time zone. */
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
