/** Decides for each count where it reads: in ClickHouse while that has everything, else in the database, with the same numbers. */
import type { Database, Queries } from "../../store/schema.ts";
import { isBehind } from "../../store/standby.ts";
import { dayMs, dayOf } from "../funnelDays.ts";
import { inDatabase, type Reading } from "../journeys.ts";
import { ClickHouseFailure, openClickHouse } from "./client.ts";
import { stateOf } from "./copy.ts";
import { journeysIn } from "./journeys.ts";
import { editionIn, tableOf } from "./table.ts";

/** Numbers may be so old. Beyond that the database is read. */
const behindAtMostMs = 60_000;
/** ClickHouse is taken for away when it does not answer a small question in time. */
const answersWithinMs = 2_000;

export interface CountedOf {
  readonly queries: Queries;
  /** Null counts in the database. */
  readonly url: string | null;
  /** Whether the database is a standby. While it is behind, everything is counted there, so that all numbers are of one moment. */
  readonly isStandby?: boolean;
  /** The day or hour of a version that is counted to be kept: nothing of it may be missing. */
  readonly kept?: KeptSpan | null;
}
interface KeptSpan {
  readonly version: string;
  readonly from: number;
  readonly to: number;
}

export async function countedWhereBest<T>(
  { queries, url, isStandby = false, kept = null }: CountedOf,
  count: (reading: Reading) => Promise<T>,
): Promise<T> {
  const database = inDatabase(queries);
  if (url === null || (isStandby && (await isBehind(queries, behindAtMostMs)))) return count(database);
  const copy = await completeCopy(queries, kept);
  if (copy === undefined) return count(database);
  const clickhouse = openClickHouse(url);
  const table = tableOf(copy.copy_name);
  try {
    if ((await editionIn(clickhouse, table, answersWithinMs)) < copy.delivered) return await count(database);
    return await count({ queries, journeys: journeysIn({ clickhouse, table }) });
  } catch (error) {
    if (error instanceof ClickHouseFailure) return count(database);
    throw error;
  }
}

/** The copy, when it has everything but what happened a moment ago. */
async function completeCopy(queries: Queries, kept: KeptSpan | null): Promise<Database["journey_copy"] | undefined> {
  const copy = await stateOf(queries);
  if (copy?.complete_at == null) return undefined;
  const oldest = await queries.selectFrom("journey_changes").select("at").orderBy("id").limit(1).executeTakeFirst();
  if (oldest === undefined) return copy;
  if (Date.now() - oldest.at >= behindAtMostMs) return undefined;
  return kept !== null && (await isSomeWaiting(queries, kept)) ? undefined : copy;
}

/**
 * Whether a change of the day or hour waits. A change names a journey's day, and the journey its hour. Starts only move to earlier ones: what
 * started later that day was never in it.
 */
async function isSomeWaiting(queries: Queries, { version, from, to }: KeptSpan): Promise<boolean> {
  const change = await queries
    .selectFrom("journey_changes")
    .leftJoin("journeys", (join) =>
      join.onRef("journeys.device_id", "=", "journey_changes.device_id").onRef("journeys.version", "=", "journey_changes.version"),
    )
    .select("journey_changes.id")
    .where("journey_changes.version", "=", version)
    .where("journey_changes.day", "=", dayOf(from))
    .where(({ eb, or }) =>
      or([eb("journeys.started_at", "is", null), eb("journeys.started_at", "<", to), eb("journeys.started_at", ">=", dayOf(from) + dayMs)]),
    )
    .limit(1)
    .executeTakeFirst();
  return change !== undefined;
}
