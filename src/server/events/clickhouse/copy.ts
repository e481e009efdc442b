/**
 * Copies journeys to ClickHouse (decision 200). Triggers record changes. One process at a time takes a batch of changes, numbers it, reads the
 * journeys' current state, writes it to ClickHouse, and then deletes the changes. If it is killed, the next process writes the batch again under a
 * higher number. ClickHouse keeps the row with the highest number, so each journey counts once. A journey that changes meanwhile is recorded again.
 */
import type { Logger } from "pino";
import { createRounds } from "../../base/rounds.ts";
import type { World } from "../../base/world.ts";
import { type Lease, takeLease } from "../../store/lease.ts";
import { sql } from "kysely";
import type { Database, Queries } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { dayMs } from "../funnelDays.ts";
import { visitorsOn } from "../visitors.ts";
import { type ClickHouse, openClickHouse } from "./client.ts";
import { createTable, editionIn, goneRow, markRow, nameOf, rowsOf, tableOf } from "./table.ts";
import { removeReplaced } from "./removal.ts";

const everyMs = 2_000;
/** Longer than a batch can take. */
const leaseMs = 5 * 60_000;
const changesAtOnce = 2_000;
/** Visitors' writes wait behind this lock. After this time, the attempt is given up and retried later. */
const lockedAtMostMs = 2_000;
const longestWaitMs = 60_000;
/** How often a process records that it still copies (`retention.ts`). */
const notedEveryMs = 3_600_000;

export interface JourneyCopyParts {
  readonly store: Store;
  readonly world: World;
  readonly log: Pick<Logger, "error" | "info">;
  /** Null turns copying off. */
  readonly url: string | null;
  readonly fetch?: typeof fetch;
}

type State = Database["journey_copy"];
const place = "clickhouse";
export const stateOf = (queries: Queries): Promise<State | undefined> =>
  queries.selectFrom("journey_copy").selectAll().where("place", "=", place).executeTakeFirst();

export function createJourneyCopy({ url, fetch: send, ...parts }: JourneyCopyParts) {
  const copying = url === null ? null : createCopying({ ...parts, clickhouse: openClickHouse(url, send) });
  const { world, log } = parts;
  let failures = 0;
  let againAt = 0;
  const rounds = createRounds(
    async () => {
      if (copying === null || (world.now() < againAt && againAt - world.now() <= longestWaitMs)) return;
      await copying.round(rounds.stopped);
      failures = 0;
    },
    async (err) => {
      failures += 1;
      againAt = world.now() + Math.min(everyMs * 2 ** failures, longestWaitMs);
      log.error({ err }, "Journeys could not be copied to ClickHouse");
      await copying?.failed(err).catch(() => undefined);
    },
  );
  return {
    wake: rounds.wake,
    running: rounds.running,
    start: () => {
      if (copying !== null) rounds.start(everyMs);
    },
    stop: rounds.stop,
  };
}

type CopyingParts = Omit<JourneyCopyParts, "url" | "fetch"> & { readonly clickhouse: ClickHouse };

function createCopying(parts: CopyingParts) {
  const { store, world, clickhouse } = parts;
  /** Whether this process has verified that the copy in ClickHouse belongs to the database. */
  let isKnown = false;

  async function round(stopped: () => boolean): Promise<void> {
    if (isKnown && (await nothingToDo())) return;
    const lease = await takeLease({ store, world }, "journeys to ClickHouse", leaseMs);
    if (lease === null) return;
    try {
      if (!isKnown) await prepare(parts, lease);
      isKnown = true;
      while (!stopped() && (await copySome(parts, lease)));
      if (!stopped()) await removeReplaced({ store, world, clickhouse }, lease);
    } finally {
      await lease.release();
    }
  }

  async function nothingToDo(): Promise<boolean> {
    const state = await stateOf(store.read);
    const change = await store.read.selectFrom("journey_changes").select("id").limit(1).executeTakeFirst();
    return (
      state?.complete_at != null &&
      change === undefined &&
      Math.abs(world.now() - state.tried_at) < notedEveryMs &&
      world.now() - state.settled_at < dayMs
    );
  }

  /** Records the failure, so that operators see the backlog and its cause. */
  async function failed(error: unknown): Promise<void> {
    isKnown = false;
    await store.write((queries) =>
      queries
        .updateTable("journey_copy")
        .set(({ eb }) => ({ tries: eb("tries", "+", 1), tried_at: world.now(), error: messageOf(error) }))
        .execute(),
    );
  }

  return { round, failed };
}

/** Begins a copy when there is none, or when the database or ClickHouse was restored or emptied. An old table is left in place. */
async function prepare(parts: CopyingParts, lease: Lease): Promise<void> {
  const { store, world, clickhouse, log } = parts;
  const state = await stateOf(store.read);
  if (state !== undefined) {
    await clickhouse.run(createTable(tableOf(state.copy_name)));
    if (isOurs(state, await editionIn(clickhouse, tableOf(state.copy_name)))) return;
  }
  log.info({}, "A copy of journeys in ClickHouse begins");
  const copyName = world.uuid();
  // From here on, readers use the database.
  if (await begin(parts, lease, copyName)) await clickhouse.run(createTable(tableOf(copyName)));
}

/** @returns false when another process has the lease */
function begin({ store, world }: CopyingParts, lease: Lease, copyName: string): Promise<boolean> {
  return store.write(async (queries) => {
    if (!(await lease.renew(queries))) return false;
    // A write that began before this one records no changes, so such writes must end first.
    if (store.dialect === "postgres") {
      await sql`SET LOCAL lock_timeout = ${sql.lit(lockedAtMostMs)}`.execute(queries);
      await sql`LOCK TABLE journeys, event_devices, consent_records, orders IN SHARE ROW EXCLUSIVE MODE`.execute(queries);
    }
    await queries.deleteFrom("journey_copy").execute();
    await queries
      .insertInto("journey_copy")
      .values({
        place,
        copy_name: copyName,
        edition: 0,
        delivered: 0,
        copied_to: "",
        complete_at: null,
        settled: 0,
        settled_at: world.now(),
        tried_at: world.now(),
        tries: 0,
        error: null,
      })
      .execute();
    return true;
  });
}

/** Copies a batch. @returns whether there may be more */
async function copySome({ store, world, clickhouse }: CopyingParts, lease: Lease): Promise<boolean> {
  // Numbered before reading: a process that reads later has a higher number.
  const batch = await whileHeld(store, lease, (queries) =>
    queries
      .updateTable("journey_copy")
      .set(({ eb }) => ({ edition: eb("edition", "+", 1), tried_at: world.now() }))
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  if (batch === null) return false;
  const { edition, delivered } = batch;
  const table = tableOf(batch.copy_name);
  if ((await editionIn(clickhouse, table)) < delivered) throw new Error("ClickHouse has lost journeys that it had stored.");
  const changes = await store.read.selectFrom("journey_changes").selectAll().orderBy("id").limit(changesAtOnce).execute();
  const next = batch.complete_at === null ? await devicesAfter(store.read, batch.copied_to) : [];
  const devices = [...new Set([...changes.map(({ device_id }) => device_id), ...next])];
  const rows = rowsOf(await visitorsOn(store.read, devices), edition);
  const gone = new Map<string, object>();
  for (const { version, day, device_id: device } of changes) {
    const name = nameOf({ version, day, device });
    if (!rows.has(name)) gone.set(name, goneRow({ version, day, device }, edition, world.now()));
  }
  await clickhouse.insert(table, [...rows.values(), ...gone.values(), markRow(edition)]);
  const settled = await whileHeld(store, lease, async (queries) => {
    const ids = changes.map(({ id }) => id);
    if (ids.length > 0) await queries.deleteFrom("journey_changes").where("id", "in", ids).execute();
    const copied = next.at(-1);
    await queries
      .updateTable("journey_copy")
      .set({ delivered: edition, tries: 0, error: null })
      .$if(batch.complete_at === null, (update) =>
        update.set(copied === undefined ? { copied_to: "", complete_at: world.now() } : { copied_to: copied }),
      )
      .execute();
    return true;
  });
  return settled !== null && (next.length > 0 || changes.length === changesAtOnce);
}

/** Writes only while the lease is held. Null when another process holds it. */
function whileHeld<T>(store: Store, lease: Lease, work: (queries: Queries) => Promise<T>): Promise<T | null> {
  return store.write(async (queries) => ((await lease.renew(queries)) ? work(queries) : null));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether ClickHouse has everything that it acknowledged, and no batch that this database never began. */
const isOurs = ({ delivered, edition }: State, found: number) => delivered <= found && found <= edition;

async function devicesAfter(queries: Queries, device: string): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("journeys")
    .select("device_id")
    .distinct()
    .where("device_id", ">", device)
    .orderBy("device_id")
    .limit(changesAtOnce)
    .execute();
  return rows.map(({ device_id }) => device_id);
}
