/** Positions in the promise's chart, in percent of the plot: x from today to the end, y from the axis up. */
import { type Plan, stageShares } from "#core/questionnaire/plan.ts";

interface Chart {
  /** Today's level, the program's stage and the target level. Their heights are proportional to the levels' distances. */
  readonly rows: readonly { readonly row: "initial" | "stage" | "target"; readonly y: number }[];
  readonly start: number;
  readonly end: number;
  /** Heights of the marks for the stages between the program's stage and the target. */
  readonly later: readonly number[];
  /** SVG paths in a box of 100 × 100, y downwards. */
  readonly line: string;
  readonly band: string;
  /** The labels of the axis: months from today, with their positions. */
  readonly ticks: readonly { readonly month: number; readonly x: number }[];
}

const lowest = 16;
const highest = 88;

/**
 * Number of parts of the axis. One per month, if the months' names fit on a phone. Else the first of 5, 4 and 3 that divides the months. Else 3, with rounded
 * months.
 */
function partsOf(months: number): number {
  return months <= maxParts ? months : ([maxParts, 4, 3].find((parts) => months % parts === 0) ?? 3);
}
const maxParts = 5;

/**
 * The chart of a program that takes `months`. The way from today's level to the target has `stages` stages; the program is the first of them,
 * and the line ends where that stage ends.
 */
export function chartOf({ months, stages }: Pick<Plan, "months" | "stages">): Chart {
  const start = lowest;
  const [end = highest, ...later] = stageShares(stages).map((share) => round(start + (highest - lowest) * share));
  const spread = (end - start) * 0.4;
  const [upper, lower] = [end + spread, end - spread];
  const y = (height: number) => round(100 - height);
  const parts = partsOf(months);
  return {
    rows: [
      { row: "initial", y: start },
      { row: "stage", y: end },
      { row: "target", y: highest },
    ],
    start,
    end,
    later: later.slice(0, -1),
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
