/** What is usual: the median of the same weekdays before, and the range that holds eight in ten of them. */
export interface Usual {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** @param values the same number on each day; null without any day */
export function usualOf(values: readonly number[]): Usual | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
}

/** Between the two nearest values in proportion (R's type 7, as spreadsheets have it). */
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
