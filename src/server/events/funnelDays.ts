/**
 * Stored days of the funnel (decision 180). A visitor counts on the UTC day of their start. For days that are not stored, such as today, closed hours
 * may be stored (`funnelHours.ts`). The rest is counted from journeys.
 */
import type { Queries } from "../store/schema.ts";
import { hourCounts, hourMs, type KeptHour, keptHours } from "./funnelHours.ts";
import type { Milestone } from "./milestones.ts";
import { type Trait, traits, type VisitorFilter } from "./visitors.ts";

export const dayMs = 86_400_000;
export const dayStart = (at: number): number => at - (((at % dayMs) + dayMs) % dayMs);

/** Visitors who reached each milestone, by the slot in which they started. Slots are equal parts of a span. */
export type Slots = Readonly<Record<Milestone, readonly number[]>>;
export const slotMs = 10 * 60_000;

export interface KeptDay {
  readonly day: number;
  readonly countedAt: number;
  /** When one of its journeys changed after the count; null when none did. */
  readonly touchedAt: number | null;
  /** Days counted by an older release may lack milestones, or have hours as slots. */
  readonly slots: Partial<Slots>;
}

export interface Span {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export interface Parts {
  readonly days: readonly KeptDay[];
  readonly hours: readonly KeptHour[];
  /** The stored days and hours, in order. */
  readonly kept: readonly { readonly from: number; readonly to: number; readonly visitors: number }[];
  /** The spans between them. */
  readonly spans: readonly Span[];
}

/** An older release does not know `slots`, so it counts such a day from its journeys. */
export const encodeSlots = (slots: Slots): string => JSON.stringify({ slots });

function slotsIn(text: string): Partial<Slots> {
  const { slots, ...hours } = JSON.parse(text) as Partial<Slots> & { readonly slots?: Partial<Slots> };
  return slots ?? hours;
}

export const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** Splits a span into stored days and hours and the rest, which must be counted. */
export async function partsOf(queries: Queries, { version, from, to }: Pick<VisitorFilter, "version" | "from" | "to">): Promise<Parts> {
  let asked = queries
    .selectFrom("funnel_days")
    .select(["day", "counted_at", "touched_at", "hours"])
    .where("version", "=", version)
    .where("edition", ">", 0)
    .orderBy("day");
  if (from !== undefined) asked = asked.where("day", ">=", from);
  if (to !== undefined) asked = asked.where("day", "<=", to - dayMs);
  const days = (await asked.execute()).map(({ day, counted_at, touched_at, hours }) => ({
    day,
    countedAt: counted_at ?? 0,
    touchedAt: touched_at,
    slots: slotsIn(hours),
  }));
  const hours = await keptHours(queries, { version, from, to });
  const kept = [
    ...days.map(({ day, slots }) => ({ from: day, to: day + dayMs, visitors: sumOf(slots.visitors ?? []) })),
    ...hours.map(({ hour, milestones }) => ({ from: hour, to: hour + hourMs, visitors: milestones.visitors ?? 0 })),
  ].toSorted((a, b) => a.from - b.from);
  const spans: Span[] = [];
  let start = from;
  for (const each of kept) {
    if (start === undefined || start < each.from) spans.push({ from: start, to: each.from });
    start = each.to;
  }
  if (start === undefined || to === undefined || start < to) spans.push({ from: start, to });
  return { days, hours, kept, spans };
}

/** Days per query; each has some hundred combinations of traits. */
const daysAtOnce = 10;

/** Stored tallies of the visitors that match the filter. */
export async function* keptCounts(
  queries: Queries,
  { version, ...filter }: VisitorFilter,
  { days, hours }: Pick<Parts, "days" | "hours">,
  /** Whether to return one row per combination of traits even without a filter. */
  byTrait = false,
): AsyncGenerator<Readonly<Record<Trait, string>> & { readonly counts: string }> {
  const filtered = traits.filter((trait) => (filter[trait] ?? []).length > 0);
  const whole = filtered.length === 0 && !byTrait;
  for (let at = 0; at < days.length; at += daysAtOnce) {
    const some = days.slice(at, at + daysAtOnce).map(({ day }) => day);
    let asked = countsOf(queries, version, whole).where("funnel_day_counts.day", "in", some);
    for (const trait of filtered) asked = asked.where(`funnel_day_counts.${trait}`, "in", filter[trait] ?? []);
    yield* await asked
      .select(traits.map((trait) => `funnel_day_counts.${trait}` as const))
      .select("counts")
      .execute();
  }
  yield* hourCounts(queries, { version, ...filter }, hours, byTrait);
}

function countsOf(queries: Queries, version: string, whole: boolean) {
  return queries
    .selectFrom("funnel_day_counts")
    .innerJoin("funnel_days", (join) =>
      join
        .onRef("funnel_days.version", "=", "funnel_day_counts.version")
        .onRef("funnel_days.day", "=", "funnel_day_counts.day")
        .onRef("funnel_days.edition", "=", "funnel_day_counts.edition"),
    )
    .where("funnel_day_counts.version", "=", version)
    .where("funnel_day_counts.whole", "=", Number(whole));
}

type Told<T extends Trait> = Readonly<Record<T, string>> & { readonly visitors: number };

/** Visitors of stored days and hours who match the filter, by the values of some traits. */
export async function keptByTraits<T extends Trait>(
  queries: Queries,
  filter: VisitorFilter,
  asked: readonly T[],
): Promise<readonly Told<T>[]> {
  const { version, from, to } = filter;
  const columns = asked.map((trait) => `funnel_day_counts.${trait}` as const);
  let kept = countsOf(queries, version, false);
  if (from !== undefined) kept = kept.where("funnel_day_counts.day", ">=", from);
  if (to !== undefined) kept = kept.where("funnel_day_counts.day", "<=", to - dayMs);
  for (const trait of traits) {
    const values = filter[trait] ?? [];
    if (values.length > 0) kept = kept.where(`funnel_day_counts.${trait}`, "in", values);
  }
  const rows = await kept
    .select(columns)
    .select(({ fn }) => fn.sum("funnel_day_counts.visitors").as("visitors"))
    .groupBy(columns)
    .execute();
  const told = rows.map((row) => ({ ...row, visitors: Number(row.visitors) }) as unknown as Told<T>);
  for await (const row of hourCounts(queries, filter, await keptHours(queries, { version, from, to }), true)) told.push(row);
  return told;
}

/**
 * Marks days as changed, within the write that changed their journeys. The update waits for a count in progress, so the count either sees the change
 * or is followed by another. Days are updated in order, so that two writes never deadlock.
 */
export async function touchDays(queries: Queries, touched: Iterable<{ readonly version: string; readonly day: number }>, at: number) {
  const inOrder = [...touched].toSorted((a, b) => a.version.localeCompare(b.version, "en") || a.day - b.day);
  for (const { version, day } of inOrder)
    await queries.updateTable("funnel_days").set({ touched_at: at }).where("version", "=", version).where("day", "=", day).execute();
}

/** All versions that were ever started, in one query with one index lookup each. */
export async function startedVersions(queries: Queries): Promise<readonly string[]> {
  const rows = await queries
    .withRecursive("started", (db) =>
      db
        .selectFrom("journeys")
        .select(({ fn }) => fn.min<string | null>("version").as("version"))
        .unionAll((more) =>
          more
            .selectFrom("started")
            .select(({ selectFrom }) =>
              selectFrom("journeys")
                .select(({ fn }) => fn.min("journeys.version").as("next"))
                .whereRef("journeys.version", ">", "started.version")
                .as("version"),
            )
            .where("started.version", "is not", null),
        ),
    )
    .selectFrom("started")
    .select("version")
    .execute();
  return rows.flatMap(({ version }) => version ?? []);
}

/** When the version's first visitor started; null when there was none. Naming the version makes this one index lookup. */
export async function firstStart(queries: Queries, version: string): Promise<number | null> {
  const row = await queries
    .selectFrom("journeys")
    .select(({ fn }) => fn.min("started_at").as("at"))
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.at ?? null;
}
