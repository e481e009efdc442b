/** Where everything stands in the promise's chart, in percent of its plot: x from today to the end, y from the axis upwards. */
import { levels, type Level } from "#core/questionnaire/definition.ts";

export interface Chart {
  readonly rows: readonly { readonly level: Level; readonly y: number; readonly reached: boolean }[];
  /** The level at the end; null for half a step beyond the highest. */
  readonly target: Level | null;
  readonly start: number;
  readonly end: number;
  /** SVG paths in a box of 100 × 100, y downwards. */
  readonly line: string;
  readonly band: string;
  /** Months from today that are named on the axis, and where. */
  readonly ticks: readonly { readonly month: number; readonly x: number }[];
}

const lowest = 18;
const highest = 88;

/**
 * From a level to a target in so many months. A target that is not above the level gives way to the next level; from the
 * highest the path goes on half a step. One level above the target stays in view, or one below where there is none above.
 */
export function chartOf(from: Level, to: Level, months: number): Chart {
  const first = levels.indexOf(from);
  const target = levels[Math.max(levels.indexOf(to), first + 1)] ?? null;
  const goal = target === null ? first + 0.5 : levels.indexOf(target);
  const last = Math.min(Math.floor(goal) + 1, levels.length - 1);
  const base = last === first ? Math.max(first - 1, 0) : first;
  const step = (highest - lowest) / Math.max(last - base, goal - base);
  const at = (level: number) => lowest + (level - base) * step;
  const [start, end] = [at(first), at(goal)];
  const upper = Math.min(end + step * 0.45, 99);
  const lower = end - Math.min(step * 0.4, (end - start) * 0.7);
  const y = (height: number) => round(100 - height);
  const parts = Math.min(3, months);
  return {
    rows: levels
      .slice(base, last + 1)
      .map((level, index) => ({ level, y: round(at(base + index)), reached: base + index >= first && base + index <= goal })),
    target,
    start: round(start),
    end: round(end),
    line: `M0 ${y(start)}C42 ${y(start)} 54 ${y(end)} 100 ${y(end)}`,
    band: `M0 ${y(start)}C38 ${y(start)} 52 ${y(upper)} 100 ${y(upper)}V${y(lower)}C62 ${y(lower)} 48 ${y(start)} 0 ${y(start)}Z`,
    ticks: Array.from({ length: parts + 1 }, (_, index) => Math.round((index * months) / parts)).map((month) => ({
      month,
      x: round((100 * month) / months),
    })),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
