/** Usual periods of a filter by days: UTC days, both inclusive. A week begins on Monday. */
const dayMs = 86_400_000;

interface Days {
  readonly from: string;
  readonly to: string;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const ago = (first: number, last: number) => (now: number) => ({ from: dayOf(now - first * dayMs), to: dayOf(now - last * dayMs) });
const sinceMonday = (now: number) => (new Date(now).getUTCDay() + 6) % 7;
/** The beginning of the month that is this many months after the current one. */
const monthBegins = (now: number, months: number) => Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + months, 1);

export const periods: readonly (readonly [words: string, at: (now: number) => Days])[] = [
  ["Today", ago(0, 0)],
  ["Yesterday", ago(1, 1)],
  ["Last 7 days", ago(7, 1)],
  ["Last week", (now) => ago(sinceMonday(now) + 7, sinceMonday(now) + 1)(now)],
  ["Last 28 days", ago(28, 1)],
  ["This month", (now) => ({ from: dayOf(monthBegins(now, 0)), to: dayOf(now) })],
  ["Last month", (now) => ({ from: dayOf(monthBegins(now, -1)), to: dayOf(monthBegins(now, 0) - dayMs) })],
];
