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
/** Rows per write, so that other writers wait for one small write at most. */
const batch = 1_000;

export interface Retention {
  /** Deletes what is due, unless another process holds the lease. Resolves with the number of rows. */
  readonly run: () => Promise<number>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** The rows that are due: table, key, and condition. */
const dueAt = (now: number): readonly (readonly [table: string, key: string, which: ReturnType<typeof sql>])[] => [
  ["link_tokens", "id", sql`expires_at < ${now - retentionPeriods.links}`],
  ["email_changes", "id", sql`asked_at < ${now - retentionPeriods.emailChanges}`],
  ["login_code_tries", "expires_at", sql`expires_at < ${now}`],
  ["refresh_tokens", "token_hash", sql`expires_at < ${now}`],
  [
    "sessions",
    "id",
    sql`ended_at < ${now - refreshTokenLife} OR (started_at < ${now - refreshTokenLife} AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE refresh_tokens.session_id = sessions.id))`,
  ],
  ["mail_outbox", "id", sql`next_attempt_at IS NULL AND created_at < ${now - retentionPeriods.mails}`],
  ["events", "id", sql`received_at < ${now - retentionPeriods.events}`],
  [
    "journeys",
    "device_id",
    sql`last_at < ${now - retentionPeriods.events} AND NOT EXISTS (SELECT 1 FROM journeys j WHERE j.device_id = journeys.device_id AND j.last_at >= ${now - retentionPeriods.events})`,
  ],
  ["event_devices", "device_id", sql`NOT EXISTS (SELECT 1 FROM journeys j WHERE j.device_id = event_devices.device_id)`],
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

export function createRetention(parts: {
  readonly store: Store;
  readonly world: World;
  readonly log: { readonly info: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
}): Retention {
  const { store, world, log } = parts;
  let stopped = false;

  /** Deletes the rows whose key a query finds, a batch per write, until none are left. */
  async function remove(lease: Lease, table: string, key: string, condition: ReturnType<typeof sql>): Promise<number> {
    let removed = 0;
    for (;;) {
      if (stopped) return removed;
      const { numAffectedRows = 0n } = await store.write(async (queries) => {
        if (!(await lease.renew(queries))) return { numAffectedRows: 0n };
        return sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} IN (SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${batch}) AND (${condition})`.execute(
          queries,
        );
      });
      removed += Number(numAffectedRows);
      if (numAffectedRows < BigInt(batch)) return removed;
    }
  }

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
    for (const [table, key, which] of dueAt(world.now())) rows += await remove(lease, table, key, which);
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
