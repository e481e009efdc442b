/** The end of a period. A month after 31 January is the last day of February. */
export function periodEnd(start: string, interval: string, count: number): string {
  const date = new Date(start);
  if (interval === "day" || interval === "week") date.setUTCDate(date.getUTCDate() + count * (interval === "week" ? 7 : 1));
  else {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + count);
    date.setUTCDate(Math.min(day, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()));
  }
  return date.toISOString();
}
