/**
 * Counts whole days of the funnel once and keeps them, so that years of visitors are as quickly told as an afternoon's (decision 180). One
 * process at a time does it, the counting on the thread that counts for the studio.
 */
import type { World } from "../../base/world.ts";
import { createRounds } from "../../base/rounds.ts";
import { dayMs, dayOf, startedVersions } from "../../events/funnelDays.ts";
import { idleAfter } from "../../events/tally.ts";
import { type Lease, takeLease } from "../../store/lease.ts";
import type { Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { Logger } from "pino";
import type { Questionnaires } from "../../base/questionnaires.ts";
import { counted } from "./counting.ts";
import { screensOf } from "./steps.ts";

const everyMs = 5 * 60_000;
const leaseMs = 10 * 60_000;
/** A day that changed is counted anew so long after it was counted last. */
const mendedAfterMs = 10 * 60_000;
/** Younger days are counted anew every day whatever happened: consent, purchases and a second device change them too. */
const recountedDays = 35;
/** Fewer are read from their journeys as quickly. */
const leastVisitors = 100;
/** Rows a write, so that other writes go in between. */
const rowsAtOnce = 25;

export interface KeptDaysParts {
  readonly store: Store;
  readonly world: World;
  readonly log: Pick<Logger, "error">;
  readonly questionnaires: Questionnaires;
  /** A day with fewer visitors is not kept. */
  readonly least?: number;
}

export function createKeptDays(parts: KeptDaysParts) {
  const { store, world, log, least = leastVisitors } = parts;
  const rounds = createRounds(
    async () => {
      const lease = await takeLease(parts, "funnel days", leaseMs);
      if (lease === null) return;
      try {
        for (const { version, day } of await dueDays(store.read, world.now()))
          if (rounds.stopped() || !(await keep(parts, lease, least, version, day))) break;
      } finally {
        await lease.release();
      }
    },
    (err) => log.error({ err }, "Days of the funnel could not be counted"),
  );
  return { wake: rounds.wake, start: () => rounds.start(everyMs), stop: rounds.stop, running: rounds.running };
}

/** Days that are over and were never counted, have changed since, or may have. The latest first: they are looked at most. */
async function dueDays(queries: Queries, now: number): Promise<readonly { readonly version: string; readonly day: number }[]> {
  // Whoever started in a day's last minute has left or gone on by then.
  const last = dayOf(now - idleAfter) - dayMs;
  const due: { version: string; day: number }[] = [];
  for (const version of await startedVersions(queries)) {
    const first = await queries
      .selectFrom("journeys")
      .select(({ fn }) => fn.min("started_at").as("at"))
      .where("version", "=", version)
      .executeTakeFirst();
    const rows = await queries.selectFrom("funnel_days").selectAll().where("version", "=", version).execute();
    const known = new Map(rows.map((row) => [row.day, row]));
    for (let day = last; day >= dayOf(first?.at ?? now); day -= dayMs) {
      const { counted_at: countedAt = null, touched_at: touchedAt = null } = known.get(day) ?? {};
      const age = countedAt === null ? Number.POSITIVE_INFINITY : now - countedAt;
      const limit = touchedAt !== null ? mendedAfterMs : now - day < recountedDays * dayMs ? dayMs : Number.POSITIVE_INFINITY;
      // A clock that went back has counted in the future.
      if (countedAt === null || age > limit || age < 0) due.push({ version, day });
    }
  }
  return due.toSorted((a, b) => b.day - a.day);
}

/** Killed at any point, it leaves the edition that was read before. @returns false when another process has the lease now */
async function keep(
  { store, world, questionnaires }: KeptDaysParts,
  lease: Lease,
  least: number,
  version: string,
  day: number,
): Promise<boolean> {
  const now = world.now();
  // Before anything is read: what changes from here on touches the day again.
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
  const { visitors, stillThere, hours, rows } = await counted(store, "day", {
    version,
    day,
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
  // What a count that was killed had written.
  if (!(await isOurs((queries) => others(queries).where("edition", "=", edition).execute()))) return false;
  const written = isKept ? rows : [];
  for (let at = 0; at < written.length; at += rowsAtOnce) {
    const some = written.slice(at, at + rowsAtOnce).map((row) => ({ version, day, edition, ...row }));
    if (!(await isOurs((queries) => queries.insertInto("funnel_day_counts").values(some).execute()))) return false;
  }
  return isOurs(async (queries) => {
    await queries
      .updateTable("funnel_days")
      .set({ edition: isKept ? edition : 0, counted_at: now, hours: JSON.stringify(hours) })
      // Who was still there has left by the next time.
      .$if(stillThere > 0, (update) => update.set({ touched_at: now }))
      .where("version", "=", version)
      .where("day", "=", day)
      .execute();
    await others(queries)
      .where("edition", "!=", isKept ? edition : 0)
      .execute();
  });
}
