/** Counts a day or an hour of the funnel for storage (`keptDays.ts`, `keptHours.ts`), on the counting thread. */
import { slotMs, type Slots } from "../../events/funnelDays.ts";
import { anyTraits, hourMs, type TraitCounts } from "../../events/funnelHours.ts";
import type { Reading } from "../../events/journeys.ts";
import { milestones, type MilestoneScreens } from "../../events/milestones.ts";
import { createTally } from "../../events/tally.ts";
import { traits } from "../../events/visitors.ts";
import type { Queries } from "../../store/schema.ts";
import { sql } from "kysely";

/** Characters of JSON per write, so that other writes get a turn: a busy day's rows have tens of millions. */
const charactersPerWrite = 200_000;

/** A row of `funnel_day_counts`, without its day and edition. */
export interface DayRow extends TraitCounts {
  readonly whole: 0 | 1;
}

interface DayCount {
  readonly visitors: number;
  readonly stillThere: number;
  readonly slots: Slots;
  /** Arrays of `DayRow` in JSON, one per write. The thread that serves visitors would need tens of milliseconds to receive them as objects. */
  readonly writes: readonly string[];
}

export interface DayAsked {
  readonly version: string;
  /** A day or an hour. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly screens: MilestoneScreens;
}

async function counted({ journeys }: Reading, { version, from, to, now, screens }: DayAsked) {
  const { parts, slots } = await journeys.sums({ version }, [{ from, to }], {
    by: traits,
    steps: { now },
    slots: { screens, from, to, ms: slotMs },
  });
  const byTraits = parts.map(({ values, visitors, tally }) => ({ ...values, visitors, counts: tally.kept() }));
  const whole = createTally(now);
  for (const { counts } of byTraits) whole.addKept(counts);
  return { whole, slots, byTraits };
}

export async function countDay(reading: Reading, asked: DayAsked): Promise<DayCount> {
  const { whole, slots, byTraits } = await counted(reading, asked);
  const { visitors } = whole.totals;
  const stillThere = [...whole.steps.values()].reduce((sum, step) => sum + step.stillThere, 0);
  const rows: DayRow[] = [{ ...anyTraits, visitors, counts: whole.kept(), whole: 1 }];
  for (const row of byTraits) rows.push({ ...row, whole: 0 });
  return { visitors, stillThere, slots, writes: writesOf(rows) };
}

function writesOf(rows: readonly DayRow[]): readonly string[] {
  const writes: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const json = JSON.stringify(row);
    size += json.length;
    if (size > charactersPerWrite) {
      writes.push([]);
      size = json.length;
    }
    writes.at(-1)?.push(json);
  }
  return writes.map((write) => `[${write.join(",")}]`);
}

/** An hour as it is stored. Its JSON is written here, because the thread that serves visitors would need tens of milliseconds for it. */
export async function countHour(reading: Reading, asked: DayAsked) {
  const { whole, slots, byTraits } = await counted(reading, asked);
  const reached = milestones.map((name) => [name, slots[name].reduce((sum, each) => sum + each, 0)] as const);
  return { milestones: JSON.stringify(Object.fromEntries(reached)), counts: whole.kept(), by_traits: JSON.stringify(byTraits) };
}

interface HoursAsked {
  readonly version: string;
  readonly from: number;
  readonly to: number;
  readonly least: number;
}

/** The hours in which at least `least` visitors started. Reads the index of all of today's visitors. */
export async function busyHours(queries: Queries, { version, from, to, least }: HoursAsked): Promise<readonly number[]> {
  const place = sql<number>`started_at / ${sql.lit(hourMs)}`;
  const rows = await queries
    .selectFrom("journeys")
    .select([place.as("place"), ({ fn }) => fn.countAll().as("journeys")])
    .where("version", "=", version)
    .where("started_at", ">=", from)
    .where("started_at", "<", to)
    .groupBy(place)
    .execute();
  return rows.filter(({ journeys }) => Number(journeys) >= least).map((row) => Number(row.place) * hourMs);
}
