/**
 * Counts the closed hours of days that are not stored yet, all of them again every few minutes (decision 201). It runs in the round of `keptDays.ts`,
 * under its lease.
 */
import type { World } from "../../base/world.ts";
import type { Questionnaires } from "../../base/questionnaires.ts";
import { dayMs, dayStart, startedVersions } from "../../events/funnelDays.ts";
import { hourMs, hourStart } from "../../events/funnelHours.ts";
import { idleAfter } from "../../events/tally.ts";
import type { Lease } from "../../store/lease.ts";
import type { Store } from "../../store/store.ts";
import { runCount } from "./counting.ts";
import { screensOf } from "./steps.ts";

/** Shorter than the pause between two rounds, so that each round counts all hours. */
const recountedAfterMs = 4 * 60_000;
/** A tenth of the time between two rounds. With very many visitors, hours are counted less often instead. */
const mostMsPerRound = 30_000;

interface KeptHoursParts {
  readonly store: Store;
  readonly world: World;
  readonly questionnaires: Questionnaires;
  /** Hours with fewer visitors are read from their journeys just as fast. */
  readonly least: number;
  readonly lease: Lease;
  readonly stopped: () => boolean;
}
interface Hour {
  readonly version: string;
  readonly hour: number;
}

/** @returns false when another process holds the lease */
export async function keepHours(parts: KeptHoursParts): Promise<boolean> {
  const { store, world, lease, stopped } = parts;
  const now = world.now();
  const until = performance.now() + mostMsPerRound;
  for (const hour of await dueHours(parts, now)) {
    if (stopped() || performance.now() > until) break;
    if (!(await keep(parts, hour))) return false;
  }
  return store.write(async (queries) => {
    if (!(await lease.renew(queries))) return false;
    // Yesterday's hours stay: a count that began before the day was stored still reads them.
    await queries
      .deleteFrom("funnel_hours")
      .where("hour", "<", dayStart(now) - dayMs)
      .execute();
    return true;
  });
}

/** Hours never counted come first, then those counted longest ago. */
async function dueHours({ store, least }: KeptHoursParts, now: number): Promise<readonly Hour[]> {
  const queries = store.read;
  // The day before this time can be stored whole.
  const from = dayStart(now - idleAfter);
  const due: (Hour & { readonly countedAt: number })[] = [];
  for (const version of await startedVersions(queries)) {
    const rows = await queries.selectFrom("funnel_hours").select(["hour", "counted_at"]).where("version", "=", version).execute();
    const known = new Map(rows.map((row) => [row.hour, row.counted_at]));
    // Hours that are over, and whose last visitors have left or gone on.
    for (const hour of await runCount(store, "busyHours", { version, from, to: hourStart(now - idleAfter), least })) {
      const countedAt = known.get(hour) ?? Number.NEGATIVE_INFINITY;
      // A count in the future means that the clock was set back.
      if (now - countedAt >= recountedAfterMs || countedAt > now) due.push({ version, hour, countedAt });
    }
  }
  return due.toSorted((a, b) => a.countedAt - b.countedAt || b.hour - a.hour);
}

/**
 * Replaces a stored hour with one statement, so that killing the process is safe at any point. @returns false when another process holds the lease
 */
async function keep({ store, world, questionnaires, lease }: KeptHoursParts, { version, hour }: Hour): Promise<boolean> {
  const now = world.now();
  const screens = screensOf(questionnaires, version);
  const counted = await runCount(store, "hour", { version, from: hour, to: hour + hourMs, now, screens });
  const row = { counted_at: now, ...counted };
  return store.write(async (queries) => {
    if (!(await lease.renew(queries))) return false;
    await queries
      .insertInto("funnel_hours")
      .values({ version, hour, ...row })
      .onConflict((conflict) => conflict.columns(["version", "hour"]).doUpdateSet(row))
      .execute();
    return true;
  });
}
