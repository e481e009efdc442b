/** Deletes data when its retention period ends, as the privacy policy promises ("How long we keep your data"). */
import { sql } from "kysely";
import { retentionPeriods } from "../base/retentionPeriods.ts";
import type { World } from "../base/world.ts";
import { keepMonths } from "../events/months.ts";
import { type Lease, takeLease } from "../store/lease.ts";
import type { Store } from "../store/store.ts";
import { refreshTokenLife } from "./sessions.ts";

const hour = 60 * 60 * 1_000;
const every = 6 * hour;
/** A process that has not renewed its lease for this long no longer runs the task. */
const leaseMs = 10 * 60 * 1_000;
/** Rows per write or read, so that others wait for a small one at most. */
const batch = 250;
/** On SQLite each write and read stops the whole process. Between two of them others have their turn. */
const pauseMs = 5;

export interface Retention {
  /** Deletes what is due, unless another process holds the lease. Resolves with the number of rows. */
  readonly run: () => Promise<number>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

type Due = readonly [table: string, key: string, which: ReturnType<typeof sql>];

/** The rows that are due: table, key, and condition. An index finds them, or the table is small. */
const dueAt = (now: number): readonly Due[] => [
  ["link_tokens", "id", sql`expires_at < ${now - retentionPeriods.links}`],
  ["email_changes", "id", sql`asked_at < ${now - retentionPeriods.emailChanges}`],
  ["login_code_tries", "expires_at", sql`expires_at < ${now}`],
  ["refresh_tokens", "token_hash", sql`expires_at < ${now}`],
  ["mail_outbox", "id", sql`next_attempt_at IS NULL AND created_at < ${now - retentionPeriods.mails}`],
  ["events", "id", sql`received_at < ${now - retentionPeriods.events}`],
  [
    "journeys",
    "device_id",
    sql`last_at < ${now - retentionPeriods.events} AND NOT EXISTS (SELECT 1 FROM journeys j WHERE j.device_id = journeys.device_id AND j.last_at >= ${now - retentionPeriods.events})`,
  ],
  ["journey_copy", "place", sql`tried_at < ${now - retentionPeriods.unusedCopy}`],
  ["journey_changes", "id", sql`NOT EXISTS (SELECT 1 FROM journey_copy)`],
  ["consent_records", "id", sql`received_at < ${now - retentionPeriods.consents}`],
  ["audit", "id", sql`at < ${now - retentionPeriods.audit}`],
  ["contract_notices", "id", sql`next_attempt_at IS NULL AND received_at < ${now - retentionPeriods.contractNotices}`],
  ["operator_audit", "id", sql`at < ${now - retentionPeriods.audit}`],
  ["operator_sessions", "id", sql`started_at < ${now - retentionPeriods.operatorSessions}`],
  ["operator_links", "id", sql`expires_at < ${now - retentionPeriods.links}`],
  ["operator_challenges", "id", sql`expires_at < ${now}`],
  ["trials_used", "order_id", sql`used_at < ${now - retentionPeriods.trials}`],
];

/** Rows that are due after the others are gone, and that no index finds: their tables are read in slices. */
const leftAt = (now: number): readonly Due[] => [
  [
    "sessions",
    "id",
    sql`ended_at < ${now - refreshTokenLife} OR (started_at < ${now - refreshTokenLife} AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE refresh_tokens.session_id = sessions.id))`,
  ],
  ["event_devices", "device_id", sql`NOT EXISTS (SELECT 1 FROM journeys j WHERE j.device_id = event_devices.device_id)`],
];

function createRemoving({ store, world }: { readonly store: Store; readonly world: Pick<World, "wait"> }, stopped: () => boolean) {
  /** Deletes a few rows. Null when another process has the lease. */
  const removeSome = (lease: Lease, table: string, which: ReturnType<typeof sql>): Promise<number | null> =>
    store.write(async (queries) => {
      if (!(await lease.renew(queries))) return null;
      const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(table)} WHERE ${which}`.execute(queries);
      return Number(numAffectedRows);
    });

  /** Deletes the rows whose key a query finds, a batch per write, until none are left. */
  async function remove(lease: Lease, [table, key, condition]: Due): Promise<number> {
    const found = sql`SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${batch}`;
    for (let removed = 0; ;) {
      if (stopped()) return removed;
      const some = await removeSome(lease, table, sql`${sql.ref(key)} IN (${found}) AND (${condition})`);
      removed += some ?? 0;
      if (some === null || some < batch) return removed;
      await world.wait(pauseMs);
    }
  }

  /** Reads a table by its key, a batch at a time, and deletes what is due. */
  async function removeBySlices(lease: Lease, [table, key, condition]: Due): Promise<number> {
    let removed = 0;
    for (let after: string | null = ""; after !== null && !stopped();) {
      const { rows }: { readonly rows: readonly { readonly key: string; readonly due: number }[] } = await sql<{
        key: string;
        due: number;
      }>`
        SELECT ${sql.ref(key)} AS key, CASE WHEN ${condition} THEN 1 ELSE 0 END AS due
        FROM ${sql.table(table)} WHERE ${sql.ref(key)} > ${after} ORDER BY ${sql.ref(key)} LIMIT ${batch}`.execute(store.read);
      const due = rows.filter((row) => row.due === 1).map((row) => row.key);
      if (due.length > 0) {
        const some = await removeSome(lease, table, sql`${sql.ref(key)} IN (${sql.join(due)}) AND (${condition})`);
        if (some === null) return removed;
        removed += some;
      }
      after = rows.length < batch ? null : (rows.at(-1)?.key ?? null);
      if (after !== null) await world.wait(pauseMs);
    }
    return removed;
  }
  return { remove, removeBySlices };
}

export function createRetention(parts: {
  readonly store: Store;
  readonly world: World;
  readonly log: { readonly info: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
}): Retention {
  const { store, world, log } = parts;
  let stopped = false;
  const { remove, removeBySlices } = createRemoving(parts, () => stopped);

  async function run(): Promise<number> {
    const lease = await takeLease({ store, world }, "retention", leaseMs);
    if (lease === null) return 0;
    try {
      return await removeDue(lease);
    } finally {
      await lease.release();
    }
  }

  async function removeDue(lease: Lease): Promise<number> {
    let rows = 0;
    const months = await keepMonths(store, world.now(), retentionPeriods.events, log);
    if (months.length > 0) log.info({ months }, "Dropped months of events");
    for (const due of dueAt(world.now())) rows += await remove(lease, due);
    for (const due of leftAt(world.now())) rows += await removeBySlices(lease, due);
    if (rows > 0) log.info({ rows }, "Deleted rows whose retention period has ended");
    return rows;
  }

  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    running = run().catch((error: unknown) => log.error({ err: error }, "Old data could not be removed"));
  };
  return {
    run,
    start: () => {
      timer = setInterval(round, every).unref();
      round();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
