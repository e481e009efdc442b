/** Counts a day or an hour of the funnel for storage (`keptDays.ts`, `keptHours.ts`). */
import { slotMs, type Slots } from "../../events/funnelDays.ts";
import type { TraitCounts } from "../../events/funnelHours.ts";
import type { Reading } from "../../events/journeys.ts";
import type { MilestoneScreens } from "../../events/milestones.ts";
import { createTally } from "../../events/tally.ts";
import { traits } from "../../events/visitors.ts";

interface DayCount {
  readonly visitors: number;
  readonly stillThere: number;
  readonly slots: Slots;
  /** All visitors. */
  readonly counts: string;
  readonly byTraits: readonly TraitCounts[];
}

export interface DayAsked {
  readonly version: string;
  /** A day or an hour. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly screens: MilestoneScreens;
}

export async function countDay({ journeys }: Reading, { version, from, to, now, screens }: DayAsked): Promise<DayCount> {
  const { parts, slots } = await journeys.sums({ version }, [{ from, to }], {
    by: traits,
    steps: { now },
    slots: { screens, from, to, ms: slotMs },
  });
  const byTraits = parts.map(({ values, visitors, tally }) => ({ ...values, visitors, counts: tally.kept() }));
  const whole = createTally(now);
  for (const { counts } of byTraits) whole.addKept(counts);
  const stillThere = [...whole.steps.values()].reduce((sum, step) => sum + step.stillThere, 0);
  return { visitors: whole.totals.visitors, stillThere, slots, counts: whole.kept(), byTraits };
}
