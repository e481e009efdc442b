/** How far a PostgreSQL standby lags, measured by what it has replayed. That is right even when it has lost its primary. */
import { sql } from "kysely";
import type { Queries } from "./schema.ts";

/** The primary's log position up to which all writes are acknowledged. Ask the primary before the standby. */
export async function writtenUntil(primary: Queries): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`SELECT pg_current_wal_flush_lsn()::text AS lsn`.execute(primary);
  return rows[0]?.lsn ?? "0/0";
}

/** Whether the standby has replayed nothing in the last `ms`, by both machines' clocks. This is also true when the primary writes nothing. */
export async function isBehind(standby: Queries, ms: number): Promise<boolean> {
  const { rows } = await sql<{ at: unknown }>`SELECT extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000 AS at`.execute(standby);
  const { at = null } = rows[0] ?? {};
  return at === null || Date.now() - Number(at) > ms;
}

/**
 * Null when the standby has replayed everything up to `written`. Otherwise the time of the last transaction that it has replayed, ms, on the primary's clock. A
 * standby that has replayed nothing since its start does not know this time: then the latest heartbeat in its table of processes is used.
 */
export async function replayedUntil(standby: Queries, { written }: { readonly written: string }): Promise<number | null> {
  const { rows } = await sql<{ hasAll: boolean; at: unknown }>`SELECT
    NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= ${written}::pg_lsn AS "hasAll",
    coalesce(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000, (SELECT max(seen_at) FROM processes)) AS at`.execute(standby);
  const { hasAll = false, at = null } = rows[0] ?? {};
  if (hasAll) return null;
  if (at === null) throw new Error("The standby does not report its replay position.");
  return Math.floor(Number(at));
}
