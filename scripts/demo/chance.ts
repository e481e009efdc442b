/** A seeded random generator: the same numbers in every run. */

export interface Chance {
  /** A number in [0, 1). */
  readonly draw: () => number;
  readonly happens: (probability: number) => boolean;
  readonly pick: <T>(weights: readonly (readonly [T, number])[]) => T;
  /** A log-normal duration: mostly about `median`, sometimes much longer. */
  readonly around: (median: number) => number;
  readonly uuid: () => string;
  /** An independent generator, for example for one visitor. */
  readonly fork: () => Chance;
}

/** Mulberry32 (Tommy Ettinger, public domain). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    draw,
    happens: (probability) => draw() < probability,
    pick(weights) {
      let left = draw() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of weights) {
        left -= weight;
        if (left < 0) return value;
      }
      const last = weights.at(-1);
      if (last === undefined) throw new Error("Nothing to pick from");
      return last[0];
    },
    around(median) {
      // Box–Muller transform: the logarithms of waiting times are roughly normal.
      const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
      return median * Math.exp(normal * 0.6);
    },
    uuid: () =>
      Array.from({ length: 8 }, () =>
        Math.floor(draw() * 65_536)
          .toString(16)
          .padStart(4, "0"),
      )
        .join("")
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5"),
    fork: () => createChance(Math.floor(draw() * 2 ** 32)),
  };
}
