/**
 * `npm run bench:months`: on PostgreSQL, compares retention of a million events by deleting rows and by dropping a month's partition. Then measures
 * the insertion of a batch beside one month of events and beside 26. `EVENTS=100000` uses fewer.
 */
import { timeOrderedId } from "#core/timeOrderedId.ts";
import { createRetention } from "#server/accounts/retention.ts";
import { retentionPeriods } from "#server/base/retentionPeriods.ts";
import { keepEvents } from "#server/events/keep.ts";
import { keepMonths, monthOf } from "#server/events/months.ts";
import { openPostgres } from "#server/store/postgres.ts";
import type { Store } from "#server/store/store.ts";
import { startPostgres } from "#test/postgres.ts";
import { walker } from "#test/traffic.ts";
import { sql } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import { median, quantile } from "./statistics.ts";

const events = Number(process.env["EVENTS"] ?? 1_000_000);
const rowsAWrite = 50_000;
const batches = 400;
const monthsKept = 26;
const now = Date.parse("2026-12-15T12:00:00Z");
const silent = { info: () => {}, error: (details: object) => console.error(details) };

/** Inserts events of one day, with all indexed fields. */
async function fill(store: Store, at: number, rows: number): Promise<void> {
  for (let done = 0; done < rows; done += rowsAWrite)
    await store.write((queries) =>
      sql`INSERT INTO events (id, event_type, account_uuid, device_id, country, payload, happened_at, received_at, sequence)
        SELECT gen_random_uuid()::text, 'QuestionnaireAnswer', NULL, md5((n / 50)::text), 'MX',
          json_build_object('questionnaire', '76', 'uuid', md5((n / 50)::text), 'questionId', n % 50 + 2, 'optionId', 1, 'locale', 'es-419', 'platform', 'android')::text,
          ${at}::bigint + n, ${at}::bigint + n, n
        FROM generate_series(${done}::bigint, ${Math.min(rows, done + rowsAWrite) - 1}::bigint) n`.execute(queries),
    );
  await sql`ANALYZE events`.execute(store.read);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

const walWritten = async ({ read }: Store) =>
  Number((await sql<{ bytes: string }>`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes`.execute(read)).rows[0]?.bytes);
const inMegabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB of log`;

/** Runs retention, which must delete all events. @returns its duration and the WAL written */
async function retains(store: Store): Promise<string> {
  const retention = createRetention({ store, world: { now: () => now, uuid: randomUUID, randomBytes, wait: async () => {} }, log: silent });
  const before = await walWritten(store);
  const seconds = await secondsOf(() => retention.run());
  const left = await store.read.selectFrom("events").select("id").executeTakeFirst();
  if (left !== undefined) throw new Error("Retention did not delete all events");
  return `${seconds.toFixed(2)} s, ${inMegabytes((await walWritten(store)) - before)}`;
}

async function milliseconds(store: Store, newId: () => string): Promise<string> {
  const times: number[] = [];
  for (let n = 0; n < batches; n++) {
    const walk = walker({ device: randomUUID(), startsAt: now, newId });
    for (let question = 2; question < 12; question++) walk.shown(question).answers(question);
    const batch = {
      events: walk.events,
      device: walk.device,
      versions: ["76"],
      sentAt: now,
      accountUuid: null,
      country: "MX",
      receivedAt: now,
    };
    times.push(await secondsOf(() => store.write((queries) => keepEvents(queries, batch))));
  }
  const milliseconds = (seconds: number) => (seconds * 1_000).toFixed(2);
  return `median ${milliseconds(median(times))} ms, 99th percentile ${milliseconds(quantile(times, 0.99))} ms`;
}

const postgres = await startPostgres();
const opened: Store[] = [];
const newStore = async () => {
  const store = openPostgres(await postgres.newDatabase("migrated"), (error) => console.error(error));
  opened.push(store);
  return store;
};
try {
  const old = monthOf(now - retentionPeriods.events);
  const deleting = await newStore();
  await fill(deleting, old, events);
  console.log(`${events} rows deleted: ${await retains(deleting)}`);
  const dropping = await newStore();
  await keepMonths(dropping, old, Number.POSITIVE_INFINITY, silent);
  await fill(dropping, old, events);
  console.log(`a month of ${events} dropped: ${await retains(dropping)}`);
  for (const months of [1, monthsKept]) {
    const store = await newStore();
    for (let n = months - 1; n >= 0; n--) {
      await keepMonths(store, monthOf(now, -n), Number.POSITIVE_INFINITY, silent);
      await fill(store, monthOf(now, -n), Math.ceil(events / 10 / months));
    }
    for (const [kind, newId] of [
      ["ids that begin with their time", () => timeOrderedId(now, randomUUID())],
      ["random ids", randomUUID],
    ] as const) {
      await milliseconds(store, newId);
      console.log(`20 events with ${kind} beside ${months === 1 ? "one month" : `${months} months`}: ${await milliseconds(store, newId)}`);
    }
  }
} finally {
  for (const store of opened) await store.close();
  await postgres.stop();
}
