/** What the step list says beyond its counts. */
import { differenceOf, type Interval } from "#core/statistics/proportions.ts";
import type { Counted, Step } from "../contract/funnel.ts";

/** Under this many visitors no share is shown: it would be chance. */
export const fewest = 30;

export const shareAt = (part: number, whole: number): number | null => (whole < fewest ? null : part / whole);

/** The two screens that lose the largest share of those who came, of screens that enough came to; the last ones end the way. */
export function worstScreens(steps: readonly Step[]): ReadonlySet<number> {
  const losing = steps
    .filter(({ entered, left }) => entered >= fewest && left > 0)
    .toSorted((a, b) => b.left / b.entered - a.left / a.entered);
  return new Set(losing.slice(0, 2).map(({ questionId }) => questionId));
}

export interface Compared {
  readonly share: number;
  /** There less here. */
  readonly difference: Interval;
  /** Its interval leaves out zero. */
  readonly certain: boolean;
}

/** Went on in the version beside, against this one; null where too few came to either. */
export function comparedAt(here: Step, beside: Counted | null): Compared | null {
  const there = beside?.steps.find(({ questionId }) => questionId === here.questionId);
  if (there === undefined || here.entered < fewest || there.entered < fewest) return null;
  const difference = differenceOf({ part: there.wentOn, whole: there.entered }, { part: here.wentOn, whole: here.entered });
  return { share: there.wentOn / there.entered, difference, certain: difference.low > 0 || difference.high < 0 };
}
