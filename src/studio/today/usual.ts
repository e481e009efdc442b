/** The usual value of a number: its median on earlier days of the same weekday, and the range of eight in ten of them. */
export interface Usual {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** @param values the number on each earlier day. Null without any. */
export function usualOf(values: readonly number[]): Usual | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
}

/** Interpolates linearly between the two nearest values (R's type 7, as spreadsheets do). */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

export type Verdict = "below" | "usual" | "above";

export function verdictOf(now: number, { low, high }: Usual): Verdict {
  if (now < Math.floor(low)) return "below";
  return now > Math.ceil(high) ? "above" : "usual";
}
