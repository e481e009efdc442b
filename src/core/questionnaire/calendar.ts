/** Calendar arithmetic on YYYY-MM-DD, without a clock or a time zone. */

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
