/** How far a standby of PostgreSQL is behind: by what it has replayed, which is right also when it has lost its primary. */
import { sql } from "kysely";
import type { Queries } from "./schema.ts";

/** The place in the log up to which everything was acknowledged. Of the primary; ask it first. */
export async function writtenUntil(primary: Queries): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`SELECT pg_current_wal_flush_lsn()::text AS lsn`.execute(primary);
  return rows[0]?.lsn ?? "0/0";
}

/** Whether it has replayed nothing of the last `ms`, by the clocks of both machines: so has one whose primary writes nothing. */
export async function isBehind(standby: Queries, ms: number): Promise<boolean> {
  const { rows } = await sql<{ at: unknown }>`SELECT extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000 AS at`.execute(standby);
  const { at = null } = rows[0] ?? {};
  return at === null || Date.now() - Number(at) > ms;
}

/**
 * The time of the last transaction that a standby has replayed, ms, on the primary's clock; null when it has replayed all that was `written`.
 * A standby that has replayed nothing since its start goes by the last sign of life of a process.
 */
export async function replayedUntil(standby: Queries, { written }: { readonly written: string }): Promise<number | null> {
  const { rows } = await sql<{ hasAll: boolean; at: unknown }>`SELECT
    NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= ${written}::pg_lsn AS "hasAll",
    coalesce(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000, (SELECT max(seen_at) FROM processes)) AS at`.execute(standby);
  const { hasAll = false, at = null } = rows[0] ?? {};
  if (hasAll) return null;
  if (at === null) throw new Error("The standby does not say what it has replayed.");
  return Math.floor(Number(at));
}
