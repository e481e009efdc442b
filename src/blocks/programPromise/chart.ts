/** Where everything stands in the promise's chart, in percent of its plot: x from today to the end, y from the axis upwards. */
import { levels, type Level } from "#core/questionnaire/definition.ts";

export interface Chart {
  readonly rows: readonly { readonly level: Level; readonly y: number; readonly reached: boolean }[];
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

/** From a level to a target in so many months. A target that is not above the level is drawn as half a step up: one goes on. */
export function chartOf(from: Level, to: Level, months: number): Chart {
  const first = levels.indexOf(from);
  const climb = Math.max(levels.indexOf(to) - first, 0.5);
  // One level above the target stays in view where there is one.
  const last = Math.min(Math.ceil(first + climb) + 1, levels.length - 1);
  const shown = levels.slice(Math.min(first, last), last + 1);
  const step = (highest - lowest) / Math.max(shown.length - 1, 1);
  const end = Math.min(lowest + climb * step, highest);
  const upper = Math.min(end + step * 0.45, 99);
  const lower = end - step * 0.4;
  const y = (height: number) => round(100 - height);
  const parts = Math.min(3, months);
  return {
    rows: shown.map((level, index) => ({ level, y: round(lowest + index * step), reached: index <= climb })),
    start: lowest,
    end: round(end),
    line: `M0 ${y(lowest)}C42 ${y(lowest)} 54 ${y(end)} 100 ${y(end)}`,
    band: `M0 ${y(lowest)}C38 ${y(lowest)} 52 ${y(upper)} 100 ${y(upper)}V${y(lower)}C62 ${y(lower)} 48 ${y(lowest)} 0 ${y(lowest)}Z`,
    ticks: Array.from({ length: parts + 1 }, (_, index) => Math.round((index * months) / parts)).map((month) => ({
      month,
      x: round((100 * month) / months),
    })),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
