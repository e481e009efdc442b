/**
 * Closed hours of the funnel, kept until their day is (decision 201): a busy site's open day has too many journeys to read each time. All of
 * them are counted anew every few minutes, so that no write of a visitor has to say that it changed one.
 */
import type { Queries } from "../store/schema.ts";
import { type Milestone, milestones } from "./milestones.ts";
import { type Trait, traits, type VisitorFilter } from "./visitors.ts";

export const hourMs = 3_600_000;
export const hourOf = (at: number): number => at - (((at % hourMs) + hourMs) % hourMs);

export interface KeptHour {
  readonly hour: number;
  readonly countedAt: number;
  /** Visitors who started in it, by the milestones they reached. An older release knew fewer. */
  readonly milestones: Partial<Readonly<Record<Milestone, number>>>;
}
/** Visitors with the same traits; an unknown one is "". */
export type TraitCounts = Readonly<Record<Trait, string>> & { readonly visitors: number; readonly counts: string };

/** Kept hours that lie whole in the span, in order. Those of a kept day are not among them. */
export async function keptHours(
  queries: Queries,
  { version, from, to }: Pick<VisitorFilter, "version" | "from" | "to">,
): Promise<readonly KeptHour[]> {
  let asked = queries
    .selectFrom("funnel_hours")
    .select(["hour", "counted_at", "milestones"])
    .where("version", "=", version)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("funnel_days")
            .select("funnel_days.day")
            .whereRef("funnel_days.version", "=", "funnel_hours.version")
            .where("funnel_days.edition", ">", 0)
            .whereRef("funnel_days.day", "<=", "funnel_hours.hour")
            .where((both) => both("funnel_days.day", ">", both("funnel_hours.hour", "-", 24 * hourMs))),
        ),
      ),
    )
    .orderBy("hour");
  if (from !== undefined) asked = asked.where("hour", ">=", from);
  if (to !== undefined) asked = asked.where("hour", "<=", to - hourMs);
  return (await asked.execute()).map(({ hour, counted_at, milestones: reached }) => ({
    hour,
    countedAt: counted_at,
    milestones: JSON.parse(reached) as KeptHour["milestones"],
  }));
}

/** Stored tallies of an hour's visitors that match the filter: one for all of them, or one per combination of traits. */
export async function* hourCounts(
  queries: Queries,
  { version, ...filter }: VisitorFilter,
  hours: readonly KeptHour[],
  byTrait: boolean,
): AsyncGenerator<TraitCounts> {
  const filtered = traits.filter((trait) => (filter[trait] ?? []).length > 0);
  for (const { hour } of hours) {
    const asked = queries.selectFrom("funnel_hours").where("version", "=", version).where("hour", "=", hour);
    if (filtered.length === 0 && !byTrait) {
      const { counts, milestones: reached } = await asked.select(["counts", "milestones"]).executeTakeFirstOrThrow();
      yield { ...anyTraits, visitors: (JSON.parse(reached) as KeptHour["milestones"]).visitors ?? 0, counts };
    } else {
      const row = await asked.select("by_traits").executeTakeFirstOrThrow();
      for (const each of JSON.parse(row.by_traits) as TraitCounts[])
        if (filtered.every((trait) => filter[trait]?.includes(each[trait]))) yield each;
    }
  }
}

export const anyTraits = Object.fromEntries(traits.map((trait) => [trait, ""])) as Record<Trait, string>;

/** Hours of which a visitor has done something since they were counted. */
export async function changedHours(queries: Queries, version: string, hours: readonly KeptHour[]): Promise<ReadonlySet<number>> {
  if (hours.length === 0) return new Set();
  const countedAt = new Map(hours.map((hour) => [hour.hour, hour.countedAt]));
  // By the index of the last event alone: those of minutes, of all versions, are fewer than those who started in these hours.
  const active = await queries
    .selectFrom("journeys")
    .select(["version", "started_at", "last_at"])
    .where("last_at", ">", Math.min(...countedAt.values()))
    .execute();
  const changed = new Set<number>();
  for (const row of active) {
    const hour = hourOf(row.started_at);
    if (row.version === version && row.last_at > (countedAt.get(hour) ?? Number.POSITIVE_INFINITY)) changed.add(hour);
  }
  return changed;
}

/** Whether it knows every milestone of this release. */
export function knowsMilestones(hour: KeptHour): hour is KeptHour & { readonly milestones: Readonly<Record<Milestone, number>> } {
  return milestones.every((name) => hour.milestones[name] !== undefined);
}
