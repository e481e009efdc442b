/**
 * Counts each whole day of the funnel once and stores the result, so that years are read as fast as an afternoon (decision 180). Closed hours of days
 * not stored yet are stored too (`keptHours.ts`). One process at a time does this, on the counting thread.
 */
import type { World } from "../../base/world.ts";
import { retentionPeriods } from "../../base/retentionPeriods.ts";
import { createRounds } from "../../base/rounds.ts";
import { dayMs, dayStart, encodeSlots, firstStart, startedVersions } from "../../events/funnelDays.ts";
import { idleAfter } from "../../events/tally.ts";
import { type Lease, takeLease } from "../../store/lease.ts";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { Logger } from "pino";
import type { Questionnaires } from "../../base/questionnaires.ts";
import { runCount } from "./counting.ts";
import type { DayRow } from "./dayCount.ts";
import { keepHours } from "./keptHours.ts";
import { prepareScreens, screensOf } from "./steps.ts";

const everyMs = 5 * 60_000;
const leaseMs = 10 * 60_000;
const usualRetryMs = 10_000;
/** The shortest time between two counts of a changed day. */
const recountedAfterMs = 10 * 60_000;
/**
 * Days younger than this are counted again daily, because consent, purchases and second devices change them without an event. Older ones are counted again
 * a day after a change: devices tell when a visit began, so a stranger can change each day of two years every few minutes.
 */
const recountedDays = 35;
/** Days with fewer visitors are read from their journeys just as fast. */
const leastVisitors = 100;
/** Characters after which the log is copied into the file on the counting thread, before SQLite does it on the main thread (`wal_autocheckpoint`). */
const charactersPerCheckpoint = 3_000_000;

export interface KeptDaysParts {
  readonly store: Store;
  readonly world: World;
  readonly log: Pick<Logger, "error">;
  readonly questionnaires: Questionnaires;
  /** Days and hours with fewer visitors are not stored. */
  readonly least?: number;
  /** Time until a failed round is repeated, ms. */
  readonly retryMs?: number;
}

export function createKeptDays(parts: KeptDaysParts) {
  const { store, world, log, questionnaires, least = leastVisitors, retryMs = usualRetryMs } = parts;
  const rounds = createRounds(
    async () => {
      await prepareScreens(questionnaires);
      const lease = await takeLease(parts, "funnel days", leaseMs);
      if (lease === null) return;
      try {
        if (!(await keepHours({ ...parts, least, lease, stopped: rounds.stopped }))) return;
        for (const { version, day } of await dueDays(store.read, world.now()))
          if (rounds.stopped() || !(await keep(parts, lease, least, version, day))) break;
      } finally {
        await lease.release();
      }
    },
    (err) => {
      log.error({ err }, "Days of the funnel could not be counted");
      setTimeout(rounds.wake, retryMs).unref();
    },
  );
  return { wake: rounds.wake, start: () => rounds.start(everyMs), stop: rounds.stop, running: rounds.running };
}

/** Days that are over and were never counted, have changed, or may have changed. The latest come first, because operators look at them most. */
async function dueDays(queries: Queries, now: number): Promise<readonly { readonly version: string; readonly day: number }[]> {
  // By then, visitors who started in the day's last minute have left or gone on.
  const last = dayStart(now - idleAfter) - dayMs;
  // A device says when its journey started, which may be any time. Days older than the retention period are not counted.
  const earliest = dayStart(now - retentionPeriods.events);
  const due: { version: string; day: number }[] = [];
  for (const version of await startedVersions(queries)) {
    const first = await firstStart(queries, version);
    const rows = await queries.selectFrom("funnel_days").selectAll().where("version", "=", version).execute();
    const known = new Map(rows.map((row) => [row.day, row]));
    for (let day = last; day >= Math.max(earliest, dayStart(first ?? now)); day -= dayMs) {
      const { counted_at: countedAt = null, touched_at: touchedAt = null } = known.get(day) ?? {};
      const age = countedAt === null ? Number.POSITIVE_INFINITY : now - countedAt;
      const [unchanged, changed] = now - day < recountedDays * dayMs ? [dayMs, recountedAfterMs] : [Number.POSITIVE_INFINITY, dayMs];
      const limit = touchedAt === null ? unchanged : changed;
      // A count in the future means that the clock was set back.
      if (countedAt === null || age > limit || age < 0) due.push({ version, day });
    }
  }
  return due.toSorted((a, b) => b.day - a.day);
}

/** Safe to kill at any point: readers keep the previous edition. @returns false when another process holds the lease */
async function keep(
  { store, world, questionnaires }: KeptDaysParts,
  lease: Lease,
  least: number,
  version: string,
  day: number,
): Promise<boolean> {
  const now = world.now();
  // Reset before reading: later changes mark the day again.
  const edition = await store.write(async (queries) => {
    const row = { version, day, edition: 0, counted_at: null, touched_at: null, hours: "{}" };
    await queries
      .insertInto("funnel_days")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const known = await queries
      .updateTable("funnel_days")
      .set({ touched_at: null })
      .where("version", "=", version)
      .where("day", "=", day)
      .returning("edition")
      .executeTakeFirstOrThrow();
    return known.edition + 1;
  });
  const { visitors, stillThere, slots, writes } = await runCount(store, "day", {
    version,
    from: day,
    to: day + dayMs,
    now,
    screens: screensOf(questionnaires, version),
  });
  const isKept = visitors >= least;
  const isOurs = async (work: (queries: Queries) => Promise<unknown>) =>
    store.write(async (queries) => {
      if (!(await lease.renew(queries))) return false;
      await work(queries);
      return true;
    });
  const others = (queries: Queries) => queries.deleteFrom("funnel_day_counts").where("version", "=", version).where("day", "=", day);
  // Removes the rows of a count that was killed.
  if (!(await isOurs((queries) => others(queries).where("edition", "=", edition).execute()))) return false;
  let sinceCheckpoint = 0;
  for (const rows of isKept ? writes : []) {
    const values = (JSON.parse(rows) as readonly DayRow[]).map((row) => ({ version, day, edition, ...row }));
    if (!(await isOurs((queries) => queries.insertInto("funnel_day_counts").values(values).execute()))) return false;
    sinceCheckpoint += rows.length;
    if (sinceCheckpoint < charactersPerCheckpoint) continue;
    sinceCheckpoint = 0;
    await runCount(store, "checkpoint", {});
  }
  return isOurs(async (queries) => {
    await queries
      .updateTable("funnel_days")
      .set({ edition: isKept ? edition : 0, counted_at: now, hours: encodeSlots(slots) })
      // Visitors who were still there will have left by the next count.
      .$if(stillThere > 0, (update) => update.set({ touched_at: now }))
      .where("version", "=", version)
      .where("day", "=", day)
      .execute();
    await others(queries)
      .where("edition", "!=", isKept ? edition : 0)
      .execute();
  });
}
