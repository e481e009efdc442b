/**
 * Proportions and their differences with 95 % intervals: Wilson's score interval for one proportion, Newcombe's hybrid for the difference of two
 * (R. G. Newcombe, Statistics in Medicine 17, 1998, methods 3 of 857 and 10 of 873).
 */

export interface Part {
  readonly part: number;
  /** At least 1. */
  readonly whole: number;
}

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const z = 1.959_963_984_540_054;

export function shareOf({ part, whole }: Part): Interval {
  const value = part / whole;
  const middle = (value + z ** 2 / (2 * whole)) / (1 + z ** 2 / whole);
  const half = (z * Math.sqrt((value * (1 - value)) / whole + z ** 2 / (4 * whole ** 2))) / (1 + z ** 2 / whole);
  return { value, low: middle - half, high: middle + half };
}

/** The first proportion minus the second. */
export function differenceOf(a: Part, b: Part): Interval {
  const [one, other] = [shareOf(a), shareOf(b)];
  const value = one.value - other.value;
  return {
    value,
    low: value - Math.hypot(one.value - one.low, other.high - other.value),
    high: value + Math.hypot(one.high - one.value, other.value - other.low),
  };
}
