/** Figures derived from the step counts. */
import { differenceOf, type Interval } from "#core/statistics/proportions.ts";
import type { Counted, Step } from "../contract/funnel.ts";

/** Shares are shown only of at least this number of visitors. */
export const fewestForShare = 30;

export const shareAt = (part: number, whole: number): number | null => (whole < fewestForShare ? null : part / whole);

/** The two screens that lose the largest share of their visitors. Screens with few visitors and those that end the funnel do not count. */
export function worstScreens(steps: readonly Step[]): ReadonlySet<number> {
  const losing = steps
    .filter(({ entered, left, isEnd }) => !isEnd && entered >= fewestForShare && left > 0)
    .toSorted((a, b) => b.left / b.entered - a.left / a.entered);
  return new Set(losing.slice(0, 2).map(({ questionId }) => questionId));
}

export interface Compared {
  readonly share: number;
  /** The compared side's share less this side's. */
  readonly difference: Interval;
  /** Whether the confidence interval excludes zero. */
  readonly certain: boolean;
}

/** The compared side's share of buyers less this side's. Null when either side has too few visitors. */
export function comparedPurchases(here: Counted, beside: Counted): Pick<Compared, "difference" | "certain"> | null {
  if (here.visitors < fewestForShare || beside.visitors < fewestForShare) return null;
  const bought = ({ purchases, visitors }: Counted) => ({ part: purchases, whole: visitors });
  return judged(differenceOf(bought(beside), bought(here)));
}

const judged = (difference: Interval) => ({ difference, certain: difference.low > 0 || difference.high < 0 });

/** Compares the shares that went on. Null when either side has too few visitors. */
export function comparedAt(here: Step, beside: Counted | null): Compared | null {
  const there = beside?.steps.find(({ questionId }) => questionId === here.questionId);
  if (there === undefined || here.entered < fewestForShare || there.entered < fewestForShare) return null;
  const difference = differenceOf({ part: there.wentOn, whole: there.entered }, { part: here.wentOn, whole: here.entered });
  return { share: there.wentOn / there.entered, ...judged(difference) };
}
