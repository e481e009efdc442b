/** Times at a screen: exact for single visitors, in bins for stored days. */

const range = (from: number, to: number, step: number) => Array.from({ length: Math.round((to - from) / step) }, (_, n) => from + n * step);
/** Start of each bin, seconds; the last is open. Bins are half a second wide below ten seconds, then at most a tenth of their start. */
export const binStarts: readonly number[] = [
  ...range(0, 10, 0.5),
  ...range(10, 20, 1),
  ...range(20, 30, 2),
  ...range(30, 60, 3),
  ...range(60, 120, 5),
  ...range(120, 180, 10),
  ...range(180, 600, 15),
  ...range(600, 1_800, 60),
  1_800,
];

/** The bin of each half second. Each bin starts at a half second. */
const binOfHalf = binStarts.flatMap((start, bin) => Array.from({ length: ((binStarts[bin + 1] ?? start + 0.5) - start) * 2 }, () => bin));

export function binOf(seconds: number): number {
  return binOfHalf[Math.floor(seconds * 2)] ?? binStarts.length - 1;
}

/** The median, the upper of two middle values; null when empty. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** The median from bins, interpolated by rank within its bin; null when empty. */
export function medianOfBins(bins: Iterable<number>): number | null {
  const counts = [...bins];
  const rank = Math.floor(counts.reduce((sum, count) => sum + count, 0) / 2);
  let before = 0;
  for (const [bin, count] of counts.entries()) {
    if (rank < before + count) {
      const start = binStarts[bin] ?? 0;
      const end = binStarts[bin + 1] ?? start;
      return start + ((rank - before + 0.5) / count) * (end - start);
    }
    before += count;
  }
  return null;
}
