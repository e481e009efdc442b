/** Times at a screen: exact ones while few are counted, and in bins where days are added up that were counted before. */

const range = (from: number, to: number, step: number) => Array.from({ length: Math.round((to - from) / step) }, (_, n) => from + n * step);
/** Where each bin begins, seconds; the last has no end. Half a second wide below ten seconds, and never wider than a tenth of where it begins. */
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

export function binOf(seconds: number): number {
  let [low, high] = [0, binStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((binStarts[middle] ?? 0) <= seconds) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The upper one where there are two in the middle; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Within its bin it is taken to lie where its rank lies among the bin's. Null of nothing. */
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
