/** Chooses where each count reads: ClickHouse while its copy is complete, else the database. The numbers are the same. */
import type { Database, Queries } from "../../store/schema.ts";
import { isBehind } from "../../store/standby.ts";
import { dayMs, dayStart } from "../funnelDays.ts";
import { inDatabase, type Reading } from "../journeys.ts";
import { ClickHouseFailure, openClickHouse } from "./client.ts";
import { stateOf } from "./copy.ts";
import { journeysIn } from "./journeys.ts";
import { editionIn, tableOf } from "./table.ts";

/** How old numbers may be. A copy that lags more is not read. */
const behindAtMostMs = 60_000;
/** ClickHouse counts as down when it does not answer a small query within this time. */
const answersWithinMs = 2_000;

export interface CountedOf {
  readonly queries: Queries;
  /** Null counts in the database. */
  readonly url: string | null;
  /** Whether `queries` read a standby. If the standby lags, ClickHouse is not used: all numbers of a screen must be equally old. */
  readonly isStandby?: boolean;
  /** Set when the result will be stored: the version and its day or hour. ClickHouse then counts only if it has every change of that time. */
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

/** The copy, if it lacks at most the latest changes. */
async function completeCopy(queries: Queries, kept: KeptSpan | null): Promise<Database["journey_copy"] | undefined> {
  const copy = await stateOf(queries);
  if (copy?.complete_at == null) return undefined;
  const oldest = await queries.selectFrom("journey_changes").select("at").orderBy("id").limit(1).executeTakeFirst();
  if (oldest === undefined) return copy;
  if (Date.now() - oldest.at >= behindAtMostMs) return undefined;
  return kept !== null && (await hasPendingChange(queries, kept)) ? undefined : copy;
}

/**
 * Whether a change of the day or hour is waiting. A change names the day on which its journey starts; the journey itself has the hour. Journeys that
 * start later on that day do not matter: a start only ever moves to an earlier time, so they were never counted in this hour.
 */
async function hasPendingChange(queries: Queries, { version, from, to }: KeptSpan): Promise<boolean> {
  const change = await queries
    .selectFrom("journey_changes")
    .leftJoin("journeys", (join) =>
      join.onRef("journeys.device_id", "=", "journey_changes.device_id").onRef("journeys.version", "=", "journey_changes.version"),
    )
    .select("journey_changes.id")
    .where("journey_changes.version", "=", version)
    .where("journey_changes.day", "=", dayStart(from))
    .where(({ eb, or }) =>
      or([
        eb("journeys.started_at", "is", null),
        eb("journeys.started_at", "<", to),
        eb("journeys.started_at", ">=", dayStart(from) + dayMs),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return change !== undefined;
}
