/**
 * Stored closed hours of the funnel, until their day is stored (decision 201). A busy site's current day has too many journeys to read each time. All
 * hours are counted again every few minutes, so that visitors' writes need not mark them as changed.
 */
import type { Queries } from "../store/schema.ts";
import { type Milestone, milestones } from "./milestones.ts";
import { type Trait, traits, type VisitorFilter } from "./visitors.ts";

export const hourMs = 3_600_000;
export const hourStart = (at: number): number => at - (((at % hourMs) + hourMs) % hourMs);

export interface KeptHour {
  readonly hour: number;
  readonly countedAt: number;
  /** Visitors who started in this hour, by the milestones they reached. An older release knew fewer milestones. */
  readonly milestones: Partial<Readonly<Record<Milestone, number>>>;
}
/** Visitors with the same traits; an unknown one is "". */
export type TraitCounts = Readonly<Record<Trait, string>> & { readonly visitors: number; readonly counts: string };

/** Stored hours that lie wholly in the span, in order, except those of stored days. */
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

/** The hours with a visitor who has done something since the count. */
export async function changedHours(queries: Queries, version: string, hours: readonly KeptHour[]): Promise<ReadonlySet<number>> {
  if (hours.length === 0) return new Set();
  const countedAt = new Map(hours.map((hour) => [hour.hour, hour.countedAt]));
  // Uses only the index of the last event: the visitors active in the last minutes, in all versions, are fewer than those who started in these hours.
  const active = await queries
    .selectFrom("journeys")
    .select(["version", "started_at", "last_at"])
    .where("last_at", ">", Math.min(...countedAt.values()))
    .execute();
  const changed = new Set<number>();
  for (const row of active) {
    const hour = hourStart(row.started_at);
    if (row.version === version && row.last_at > (countedAt.get(hour) ?? Number.POSITIVE_INFINITY)) changed.add(hour);
  }
  return changed;
}

/** Whether the hour has every milestone of this release. */
export function knowsMilestones(hour: KeptHour): hour is KeptHour & { readonly milestones: Readonly<Record<Milestone, number>> } {
  return milestones.every((name) => hour.milestones[name] !== undefined);
}
