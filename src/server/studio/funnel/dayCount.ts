/** Counts a day or an hour of the funnel for storage (`keptDays.ts`, `keptHours.ts`). */
import { slotMs, type Slots } from "../../events/funnelDays.ts";
import type { TraitCounts } from "../../events/funnelHours.ts";
import { type Milestone, milestones, type MilestoneScreens, reached } from "../../events/milestones.ts";
import { createTally, type Tally } from "../../events/tally.ts";
import { type Trait, traits, type Visitor, visitorsOf } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";

interface DayCount {
  readonly visitors: number;
  readonly stillThere: number;
  readonly slots: Slots;
  /** All visitors. */
  readonly counts: string;
  readonly byTraits: readonly TraitCounts[];
}

interface DayAsked {
  readonly version: string;
  /** A day or an hour. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly screens: MilestoneScreens;
}

export async function countDay(queries: Queries, { version, from, to, now, screens }: DayAsked): Promise<DayCount> {
  const combinations = new Map<string, { readonly values: Record<Trait, string>; readonly tally: Tally; visitors: number }>();
  const slots = noSlots((to - from) / slotMs);
  let visitors = 0;
  for await (const visitor of visitorsOf(queries, { version, from, to }, ["came", "consent"])) {
    const { journey, bought } = visitor;
    visitors += 1;
    const key = traits.map((trait) => visitor[trait] ?? "").join("\n");
    let combination = combinations.get(key);
    if (combination === undefined)
      combinations.set(key, (combination = { values: valuesOf(visitor), tally: createTally(now), visitors: 0 }));
    combination.visitors += 1;
    combination.tally.add(journey, bought);
    const slot = Math.floor((journey.startedAt - from) / slotMs);
    for (const name of milestones) if (reached(name, visitor, screens)) slots[name][slot] = (slots[name][slot] ?? 0) + 1;
  }
  const byTraits = [...combinations.values()].map(({ values, tally, ...row }) => ({ ...values, ...row, counts: tally.kept() }));
  const whole = createTally(now);
  for (const { counts } of byTraits) whole.addKept(counts);
  const stillThere = [...whole.steps.values()].reduce((sum, step) => sum + step.stillThere, 0);
  return { visitors, stillThere, slots, counts: whole.kept(), byTraits };
}

const valuesOf = (visitor: Visitor) => Object.fromEntries(traits.map((trait) => [trait, visitor[trait] ?? ""])) as Record<Trait, string>;

const noSlots = (count: number) =>
  Object.fromEntries(milestones.map((name) => [name, Array.from({ length: count }, () => 0)])) as Record<Milestone, number[]>;
