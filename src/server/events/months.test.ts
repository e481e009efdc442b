/** Events on PostgreSQL lie in monthly partitions, tested through the call that stores them and through retention. */
import { createRetention } from "#server/accounts/retention.ts";
import { timeOrderedId } from "#core/timeOrderedId.ts";
import { retentionPeriods } from "#server/base/retentionPeriods.ts";
import { migrate, readMigrations } from "#server/store/migrate.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import type { Store } from "#server/store/store.ts";
import { createTestApp, createTestStore, databases, type TestApp, testQuestionnaires } from "#test/app.ts";
import { walker } from "#test/traffic.ts";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { keepEvents } from "./keep.ts";
import { keepMonths, monthOf } from "./months.ts";

const day = 86_400_000;
const migration = "20261125100000_events_by_month";
const silent = { info: () => {}, error: () => {} };
const { versions } = testQuestionnaires;
const at = Date.parse;

/** Which partition each event lies in. */
const placesIn = async ({ read }: Store) =>
  Object.fromEntries(
    (
      await sql<{ id: string; part: string }>`SELECT id, tableoid::regclass::text AS part FROM events ORDER BY received_at`.execute(read)
    ).rows.map(({ id, part }) => [id, part]),
  );
const partsOf = async ({ read }: Store) =>
  (
    await sql<{
      name: string;
    }>`SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`.execute(read)
  ).rows.map(({ name }) => name);
const batchOf = (events: ReturnType<typeof walker>["events"], device: string, receivedAt: number) => ({
  events,
  device,
  versions,
  sentAt: receivedAt,
  accountUuid: null,
  country: null,
  receivedAt,
});

describe.each(databases)("repeated events on %s", (database) => {
  let t: TestApp;
  let round: () => Promise<number>;
  beforeEach(async () => {
    t = await createTestApp({ database });
    round = createRetention({ store: t.store, world: t.world, log: silent }).run;
  });
  afterEach(() => t.close());
  const passTo = (time: string) => t.world.pass(at(time) - t.world.now());

  describe.each([
    ["random ids", () => randomUUID(), 0],
    ["ids that begin with their time", (now: number) => timeOrderedId(now, randomUUID()), 0],
    ["a clock that is 40 days ahead", (now: number) => timeOrderedId(now, randomUUID()), 40 * day],
    ["a clock that is 40 days behind", (now: number) => timeOrderedId(now, randomUUID()), -40 * day],
  ])("with %s", (_kind, idAt, wrong) => {
    it.each([
      ["at once", "2026-11-30T23:59:59Z"],
      ["on the other side of a month's end", "2026-12-01T00:00:01Z"],
      ["when the month is no longer new", "2026-12-01T00:05:00Z"],
      ["some days later", "2026-12-09T00:00:00Z"],
      ["two months later", "2027-01-20T00:00:00Z"],
    ])("count once, %s too", async (_, again) => {
      passTo("2026-11-30T23:59:59Z");
      await round();
      const clock = () => t.world.now() + wrong;
      const walk = walker({ device: randomUUID(), startsAt: clock(), newId: () => idAt(clock()) })
        .shown(2)
        .answers(2);
      const send = async (events = walk.events) =>
        (await t.call("sendEvent", { body: { events, device: walk.device, sentAt: new Date(clock()).toISOString() } })).accepted;
      expect(await send()).toBe(2);
      passTo(again);
      await round();
      const more = walk.shown(3);
      expect([await send(more.events.slice(0, 2)), await send(), await send()]).toEqual([0, 1, 0]);
      const rows = await t.store.read.selectFrom("events").select(["id", "received_at"]).orderBy("sequence").execute();
      expect(rows).toEqual(more.events.map(({ id }, n) => ({ id, received_at: at(n === 2 ? again : "2026-11-30T23:59:59Z") })));
    });
  });

  it("sent alone get an id that begins with their time", async () => {
    await t.call("sendEvent", { body: { eventType: "ChatbotOpen", payload: {} } });
    const [row] = await t.store.read.selectFrom("events").select(["id", "received_at"]).execute();
    expect(Number.parseInt((row?.id ?? "").replace("-", "").slice(0, 12), 16)).toBe(row?.received_at);
  });
});

describe.runIf(databases.includes("postgres"))("months of events", () => {
  let t: TestApp;
  let round: () => Promise<number>;
  beforeEach(async () => {
    t = await createTestApp({ database: "postgres" });
    round = createRetention({ store: t.store, world: t.world, log: silent }).run;
  });
  afterEach(() => t.close());
  const passTo = (time: string) => t.world.pass(at(time) - t.world.now());
  /** Sends the event of an opened chat. Returns the event's id. */
  const opens = async () => {
    const id = randomUUID();
    const event = { id, eventType: "ChatbotOpen", at: new Date(t.world.now()).toISOString(), payload: {} };
    expect(await t.call("sendEvent", { body: event })).toEqual({ accepted: 1 });
    return id;
  };

  it("are created ahead, and each takes what is received in it, from its first moment to its last", async () => {
    passTo("2026-11-20T12:00:00Z");
    await round();
    expect(await partsOf(t.store)).toEqual(["events_2026_11", "events_2026_12", "events_2027_01", "events_rest"]);
    const places: [string, string][] = [];
    for (const [time, part] of [
      ["2026-11-30T23:59:59.999Z", "events_2026_11"],
      ["2026-12-01T00:00:00Z", "events_2026_12"],
      ["2026-12-31T23:59:59.999Z", "events_2026_12"],
      ["2027-01-31T12:00:00Z", "events_2027_01"],
    ] as const) {
      passTo(time);
      places.push([await opens(), part]);
    }
    expect(await placesIn(t.store)).toEqual(Object.fromEntries(places));
    await round();
    expect(await partsOf(t.store)).toContain("events_2027_03");
  });

  it("that do not exist lose no events: the default partition stores them, and the month gets them once it is created", async () => {
    passTo("2026-11-20T12:00:00Z");
    const first = await opens();
    passTo("2026-12-02T00:00:00Z");
    const second = await opens();
    expect(await placesIn(t.store)).toEqual({ [first]: "events_rest", [second]: "events_rest" });
    await round();
    const third = await opens();
    expect(await placesIn(t.store)).toEqual({ [first]: "events_rest", [second]: "events_2026_12", [third]: "events_2026_12" });
  });

  it("are dropped when their first day is too old, and no others; from the default partition, rows are deleted", async () => {
    passTo("2026-10-31T12:00:00Z");
    const rest = await opens();
    passTo("2026-11-01T12:00:00Z");
    await round();
    await opens();
    passTo("2026-11-30T12:00:00Z");
    await opens();
    passTo("2026-12-01T12:00:00Z");
    const kept = await opens();
    await round();
    t.world.pass(at("2026-11-01T00:00:00Z") + retentionPeriods.events - t.world.now());
    await round();
    expect(await partsOf(t.store)).toContain("events_2026_11");
    expect(Object.keys(await placesIn(t.store))).not.toContain(rest);
    t.world.pass(1);
    const young = await opens();
    // No single rows are deleted.
    expect(await round()).toBe(0);
    expect(await partsOf(t.store)).not.toContain("events_2026_11");
    expect(Object.keys(await placesIn(t.store))).toEqual([kept, young]);
  });

  it("that a long query reads are dropped in a later round, and nobody waits meanwhile", async () => {
    passTo("2026-11-20T12:00:00Z");
    await round();
    await opens();
    t.world.pass(at("2026-11-01T00:00:00Z") + retentionPeriods.events - t.world.now());
    await round();
    t.world.pass(1);
    if (t.store.place.dialect !== "postgres") throw new Error("It is another database");
    const reader = new pg.Client({ connectionString: t.store.place.url });
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query("BEGIN");
    await reader.query("SELECT id FROM events");
    const running = round();
    const young = await opens();
    await running;
    expect(await partsOf(t.store)).toContain("events_2026_11");
    await reader.query("COMMIT");
    await round();
    expect(await partsOf(t.store)).not.toContain("events_2026_11");
    expect(Object.keys(await placesIn(t.store))).toEqual([young]);
  });

  it("an erased person's events lose the person in every month, and are all exported before", async () => {
    const person = await t.signUp();
    const ids: string[] = [];
    for (const time of ["2026-11-20T12:00:00Z", "2026-12-20T12:00:00Z", "2027-01-20T12:00:00Z"]) {
      passTo(time);
      const { token } = await t.logIn(person);
      const id = randomUUID();
      ids.push(id);
      await t.call("sendEvent", { token, body: { id, eventType: "ChatbotOpen", payload: { uuid: person.uuid } } });
      await round();
    }
    const { token } = await t.logIn(person);
    const { events } = await t.call("accountExport", { token });
    expect(events).toMatchObject(ids.map((id) => ({ id })));
    await t.call("accountErase", { token, body: { password: person.password } });
    await t.erased();
    const rows = await t.store.read.selectFrom("events").selectAll().execute();
    expect(rows).toHaveLength(ids.length);
    expect(JSON.stringify(rows)).not.toContain(person.uuid);
    expect(new Set(Object.values(await placesIn(t.store))).size).toBe(3);
  });
});

/** Two overlapping writes with a batch each: the second begins before the first is committed. */
async function overlapping(store: Store, first: number, second: number) {
  const newId = () => timeOrderedId(Math.min(first, second), randomUUID());
  const walk = walker({ device: randomUUID(), startsAt: first, newId }).shown(2).answers(2);
  const inserted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const one = store.write(async (queries) => {
    const added = await keepEvents(queries, batchOf(walk.events, walk.device, first));
    inserted.resolve();
    await goOn.promise;
    return added;
  });
  await inserted.promise;
  const other = store.write((queries) => keepEvents(queries, batchOf(walk.events, walk.device, second)));
  const waits = async () =>
    (await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(store.read)).rows;
  try {
    await expect.poll(waits).toHaveLength(1);
  } finally {
    goOn.resolve();
  }
  return Promise.all([one, other]);
}

describe.runIf(databases.includes("postgres"))("two processes", () => {
  const boundary = at("2026-12-01T00:00:00Z");

  it.each([
    ["on both sides of a month's end", boundary - 1, boundary + 1],
    ["on one side of it", boundary + 1, boundary + 2],
    ["where the clocks differ", boundary + 1, boundary - 1],
  ])("that take the same batch at the same time count it once, %s", async (_, first, second) => {
    const store = await createTestStore("postgres");
    onTestFinished(store.close);
    await keepMonths(store, boundary - day, retentionPeriods.events, silent);
    expect(await overlapping(store, first, second)).toEqual([2, 0]);
    const rows = await store.read.selectFrom("events").select("received_at").execute();
    expect(rows.map(({ received_at: received }) => received)).toEqual([first, first]);
  });

  it("create the months once while events arrive, and none is lost", async () => {
    const first = await createTestStore("postgres");
    if (first.place.dialect !== "postgres") throw new Error("It is another database");
    const { url } = first.place;
    const stores = [first, ...[1, 2, 3].map(() => openPatiently(url))];
    onTestFinished(async () => void (await Promise.all(stores.map(({ close }) => close()))));
    const keeping = Promise.all(stores.map((store) => keepMonths(store, boundary + day, retentionPeriods.events, silent)));
    const made = new AbortController();
    const opens = async () => {
      let taken = 0;
      while (!made.signal.aborted) {
        const walk = walker({ device: randomUUID(), startsAt: boundary + day, newId: randomUUID }).shown(2);
        taken += await first.write((queries) => keepEvents(queries, batchOf(walk.events, walk.device, boundary + day)));
      }
      return taken;
    };
    const opening = Promise.all(Array.from({ length: 8 }, opens));
    await keeping.finally(() => made.abort());
    const sent = (await opening).reduce((sum, taken) => sum + taken, 0);
    expect(await keeping).toEqual([[], [], [], []]);
    expect(await partsOf(first)).toEqual(["events_2026_12", "events_2027_01", "events_2027_02", "events_rest"]);
    const places = Object.values(await placesIn(first));
    expect(places).toHaveLength(sent);
    expect(new Set(places)).toEqual(new Set(["events_2026_12"]));
  });
});

describe.runIf(databases.includes("postgres"))("a table of events from before monthly partitions", () => {
  const now = at("2026-12-10T12:00:00Z");
  const rowsBefore = 40_000;
  /** A table too large to be scanned under a lock. */
  async function large(): Promise<Store> {
    const store = await createTestStore("postgres", migration);
    onTestFinished(store.close);
    const rows = sql`INSERT INTO events (id, event_type, device_id, payload, happened_at, received_at)
      SELECT gen_random_uuid()::text, 'ChatbotOpen', 'd', json_build_object('campaignId', repeat('x', 1800))::text, ${now}::bigint, ${now - day}::bigint
      FROM generate_series(1, ${sql.lit(rowsBefore)})`;
    // A migration has no time limit. On a slow machine, these rows take longer than a request may.
    await store.migrateWith(({ transaction }) => transaction(async (changing) => void (await rows.execute(changing))));
    return store;
  }
  const indexes = ({ read }: Store) =>
    sql`SELECT indexrelid FROM pg_index WHERE indrelid::regclass::text IN ('events', 'events_rest', 'events_before')
    AND EXISTS (SELECT FROM pg_class WHERE oid = indexrelid AND relkind = 'i') ORDER BY 1`.execute(read);
  const keep = (store: Store, when: number) => keepMonths(store, when, retentionPeriods.events, silent);
  const whole = async (store: Store) => Number((await sql<{ n: number }>`SELECT count(*) AS n FROM events`.execute(store.read)).rows[0]?.n);
  const opens = (store: Store, receivedAt: number) => {
    const walk = walker({ device: randomUUID(), startsAt: receivedAt, newId: randomUUID }).shown(2);
    return store.write((queries) => keepEvents(queries, batchOf(walk.events, walk.device, receivedAt)));
  };

  it("becomes the default partition with its rows and indexes, and once closed, the partition of all earlier events", async () => {
    const store = await large();
    const before = (await indexes(store)).rows;
    const made = await migrate(store, 1, readMigrations("postgres"));
    expect(made[0]).toBe(migration);
    expect((await indexes(store)).rows).toEqual(before);
    expect([await whole(store), await partsOf(store)]).toEqual([rowsBefore, ["events_rest"]]);
    await keep(store, now);
    expect(await partsOf(store)).toEqual(["events_2027_02", "events_before", "events_rest"]);
    expect((await indexes(store)).rows).toEqual(expect.arrayContaining(before));
    for (const [time, part] of [
      ["2027-01-31T23:59:59Z", "events_before"],
      ["2027-02-01T00:10:00Z", "events_2027_02"],
      ["2028-01-01T00:10:00Z", "events_rest"],
    ] as const) {
      expect(await opens(store, at(time))).toBe(1);
      expect(Object.values(await placesIn(store)).at(-1)).toBe(part);
    }
    expect(await whole(store)).toBe(rowsBefore + 3);
    await keep(store, at("2027-02-01T00:00:00Z") + retentionPeriods.events + 1);
    expect(await partsOf(store)).not.toContain("events_before");
    expect(await whole(store)).toBe(1);
  });

  it("is closed by the next round after a process was killed while closing it, and also if that round comes late", async () => {
    const store = await large();
    await migrate(store, 1, readMigrations("postgres"));
    const until = (time: string) =>
      sql.raw(`ALTER TABLE events_rest ADD CONSTRAINT events_rest_until_${at(time)} CHECK (received_at < ${at(time)}) NOT VALID`);
    await store.write((queries) => until("2026-12-11T00:00:00Z").execute(queries));
    await keep(store, now);
    expect(await partsOf(store)).toContain("events_before");
    expect(await opens(store, at("2026-12-20T00:00:00Z"))).toBe(1);

    const other = await large();
    await migrate(other, 1, readMigrations("postgres"));
    await other.write((queries) => until("2027-01-01T00:00:00Z").execute(queries));
    await keep(other, now);
    expect(await partsOf(other)).toEqual(["events_2027_01", "events_2027_02", "events_before", "events_rest"]);
    const { rows } = await sql`SELECT conname FROM pg_constraint WHERE conname LIKE 'events_rest_until_%'`.execute(other.read);
    expect(rows).toEqual([]);
    expect(await whole(other)).toBe(rowsBefore);
  });

  it("stores what the previous release writes in its month", async () => {
    const store = await createTestStore("postgres");
    onTestFinished(store.close);
    await keep(store, now);
    const id = randomUUID();
    const written = sql`INSERT INTO events (id, event_type, payload, happened_at, received_at) VALUES (${id}, 'ChatbotOpen', '{}', 1, ${now})
      ON CONFLICT DO NOTHING RETURNING id`;
    const written2 = await store.write(async (queries) => [(await written.execute(queries)).rows, (await written.execute(queries)).rows]);
    expect(written2).toEqual([[{ id }], []]);
    expect(await placesIn(store)).toEqual({ [id]: "events_2026_12" });
  });
});

it("a month begins at midnight, UTC", () => {
  expect([
    monthOf(at("2026-12-31T23:59:59.999Z")),
    monthOf(at("2026-12-31T23:59:59.999Z"), 1),
    monthOf(at("2026-12-01T00:00:00Z"), -1),
  ]).toEqual([at("2026-12-01"), at("2027-01-01"), at("2026-11-01")]);
});
