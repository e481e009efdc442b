/** Counts one day of the funnel for storage (`keptDays.ts`). */
import { dayMs, type Hours, hourMs } from "../../events/funnelDays.ts";
import { type Milestone, milestones, type MilestoneScreens, reached } from "../../events/milestones.ts";
import { createTally, type Tally } from "../../events/tally.ts";
import { type Trait, traits, visitorsOf } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";

type TraitValues = Readonly<Record<Trait, string>>;
interface DayCount {
  readonly visitors: number;
  readonly stillThere: number;
  readonly hours: Hours;
  /** One row for all visitors, then one per combination of traits. */
  readonly rows: readonly (TraitValues & { readonly whole: number; readonly visitors: number; readonly counts: string })[];
}

const nobody: TraitValues = { release: "", locale: "", country: "", platform: "", campaign: "", came: "", consent: "" };

export async function countDay(
  queries: Queries,
  {
    version,
    day,
    now,
    screens,
  }: { readonly version: string; readonly day: number; readonly now: number; readonly screens: MilestoneScreens },
): Promise<DayCount> {
  const whole = createTally(now);
  const combinations = new Map<string, { readonly values: TraitValues; readonly tally: Tally; visitors: number }>();
  const hours = noHours();
  let visitors = 0;
  for await (const visitor of visitorsOf(queries, { version, from: day, to: day + dayMs }, ["came", "consent"])) {
    const { journey, bought } = visitor;
    visitors += 1;
    const values = Object.fromEntries(traits.map((trait) => [trait, visitor[trait] ?? ""])) as TraitValues;
    const key = traits.map((trait) => values[trait]).join("\n");
    let combination = combinations.get(key);
    if (combination === undefined) combinations.set(key, (combination = { values, tally: createTally(now), visitors: 0 }));
    combination.visitors += 1;
    combination.tally.add(journey, bought);
    whole.add(journey, bought);
    const hour = Math.floor((journey.startedAt - day) / hourMs);
    for (const name of milestones) if (reached(name, visitor, screens)) hours[name][hour] = (hours[name][hour] ?? 0) + 1;
  }
  return {
    visitors,
    stillThere: [...whole.steps.values()].reduce((sum, { stillThere }) => sum + stillThere, 0),
    hours,
    rows: [
      { whole: 1, ...nobody, visitors, counts: whole.kept() },
      ...[...combinations.values()].map(({ values, tally, ...row }) => ({ whole: 0, ...values, ...row, counts: tally.kept() })),
    ],
  };
}

const hoursPerDay = 24;
const noHours = () =>
  Object.fromEntries(milestones.map((name) => [name, Array.from({ length: hoursPerDay }, () => 0)])) as Record<Milestone, number[]>;
