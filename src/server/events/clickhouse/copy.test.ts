/** The copy of journeys in ClickHouse. Each journey counts once, whichever process is killed or server is down, and erased visitors leave it. */
import { createTestApp, createTestStore, databases, type TestApp } from "#test/app.ts";
import { hasClickHouse, type RunningClickHouse, startClickHouse } from "#test/clickhouse.ts";
import { completedOrder } from "#test/orders.ts";
import { signInOperator } from "#test/studio.ts";
import { type Walker, walker } from "#test/traffic.ts";
import type { KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRetention } from "../../accounts/retention.ts";
import { takeLease } from "../../store/lease.ts";
import { countedIn, type Store } from "../../store/store.ts";
import { evaluateRules } from "../../studio/operations/alerts.ts";
import { dayStart } from "../funnelDays.ts";
import { hourStart } from "../funnelHours.ts";
import { visitorsOn } from "../visitors.ts";
import { type ClickHouse, ClickHouseFailure, openClickHouse } from "./client.ts";
import { createJourneyCopy } from "./copy.ts";
import { countedWhereBest } from "./reading.ts";
import { rowsOf, tableOf } from "./table.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe.skipIf(!hasClickHouse).each(databases)("the copy of journeys in ClickHouse (%s)", (kind) => {
  let server: RunningClickHouse;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server.remove());

  let test: TestApp;
  let store: Store;
  let url: string;
  let clickhouse: ClickHouse;
  let ids: number;
  let failures: unknown[];
  beforeEach(async () => {
    ids = 0;
    failures = [];
    await server.start();
    url = await server.newDatabase();
    clickhouse = openClickHouse(url);
    store = countedIn(url, await createTestStore(kind));
    test = await createTestApp({ database: kind, store, settings: { clickhouseUrl: url } });
  });
  afterEach(() => test.close());

  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;
  const log = { info: () => undefined, error: ({ err }: { readonly err?: unknown }) => void failures.push(err) };
  const visitor = (uuid?: string) =>
    walker({ device: newId(), startsAt: test.world.now(), newId, ...(uuid === undefined ? {} : { uuid }) });
  async function send({ device, events }: Walker): Promise<void> {
    const response = await test.app.inject({
      method: "POST",
      url: "/api/send-event",
      remoteAddress: `10.0.${(ids >> 8) & 255}.${ids & 255}`,
      headers: { "x-device-id": device },
      payload: { events, device, sentAt: new Date(test.world.now()).toISOString() },
    });
    expect(response.statusCode, response.body).toBe(202);
  }
  const exporter = (changed: { readonly store?: Store; readonly fetch?: typeof fetch } = {}) =>
    createJourneyCopy({ store, world: test.world, log, url, ...changed });
  async function copy(changed?: Parameters<typeof exporter>[0]): Promise<void> {
    const journeys = exporter(changed);
    journeys.wake();
    await journeys.running();
  }
  const changes = () => store.read.selectFrom("journey_changes").selectAll().execute();
  const state = () => store.read.selectFrom("journey_copy").selectAll().executeTakeFirst();
  const table = async () => tableOf((await state())?.copy_name ?? "");
  const visitors = async () => {
    const client = await signInOperator(test, "viewer");
    return (await client.call("funnelSteps", { version: "76" })).here.visitors;
  };

  /** Expects ClickHouse to hold what the database says of all devices now, each row once. */
  async function expectTrueCopy(): Promise<void> {
    const devices = await store.read.selectFrom("journeys").select("device_id").distinct().execute();
    const told = rowsOf(
      await visitorsOn(
        store.read,
        devices.map(({ device_id }) => device_id),
      ),
      0,
    );
    const byPlace = (rows: Iterable<object>) => [...rows].map((row) => JSON.stringify(row)).toSorted();
    const rows = await clickhouse.rows<object>(
      `SELECT * REPLACE (0 AS edition, toUInt32(kept_until) AS kept_until) FROM ${await table()} FINAL WHERE version != ''`,
    );
    const inOrder = (row: object) => Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    expect(byPlace(rows.map(inOrder))).toEqual(byPlace([...told.values()].map(inOrder)));
  }

  it("records no changes while no process copies, and all from then on", async () => {
    await send(visitor().shown(2));
    expect(await changes()).toEqual([]);
    await copy();
    await expectTrueCopy();
    await send(visitor().shown(2));
    expect(await changes()).not.toEqual([]);
    await copy();
    expect(await changes()).toEqual([]);
    await expectTrueCopy();
    expect(failures).toEqual([]);
  });

  it("is correct after a journey turns out to have begun earlier, and after a device changes its visitor and changes back", async () => {
    const [ana, luis] = [newId(), newId()];
    const shared = visitor(ana).shown(2);
    await send(shared);
    await send(visitor(ana).shown(2).answers(2).shown(3));
    await send(visitor(luis).shown(2));
    await copy();
    const again = async (uuid: string, place: number) => {
      const walk = walker({ device: shared.device, startsAt: test.world.now(), newId, uuid }).answers(2);
      await send({ ...walk, events: walk.events.map((event) => ({ ...event, sequence: place })) });
      await copy();
      await expectTrueCopy();
    };
    await again(luis, 10);
    await again(ana, 11);
    const early = walker({ device: shared.device, startsAt: test.world.now() - 3 * day, newId, uuid: ana }).shown(2);
    await send({ ...early, events: early.events.map((event) => ({ ...event, sequence: 5 })) });
    await copy();
    await expectTrueCopy();
    expect(failures).toEqual([]);
  });

  it("is correct after a purchase, a refund, a consent choice and a removed one, each alone", async () => {
    const buyer = newId();
    const walk = visitor(buyer).shown(2);
    await send(walk);
    await copy();
    const order = completedOrder(newId(), buyer, test.world.now());
    const chosen = {
      id: newId(),
      at: new Date(test.world.now()).toISOString(),
      textVersion: "2026-11-20",
      categories: { functional: false, analytics: true, marketing: false },
      source: "banner",
    };
    for (const change of [
      () => store.write((queries) => queries.insertInto("orders").values(order).execute()),
      () => store.write((queries) => queries.updateTable("orders").set({ status: "refunded" }).execute()),
      () => store.write((queries) => queries.updateTable("orders").set({ status: "completed" }).execute()),
      () => store.write((queries) => queries.deleteFrom("orders").execute()),
      () => test.call("consent", { body: chosen, headers: { "x-device-id": walk.device } }),
      () => store.write((queries) => queries.updateTable("consent_records").set({ analytics: 0 }).execute()),
      () => store.write((queries) => queries.deleteFrom("consent_records").execute()),
    ]) {
      await change();
      expect(await changes()).not.toEqual([]);
      await copy();
      await expectTrueCopy();
    }
  });

  it("counts each visitor once, at whichever await its process is killed", async () => {
    let killed = 0;
    for (let at = 1; ; at += 1) {
      await send(
        visitor(at % 3 === 0 ? "11111111-1111-4111-8111-000000000001" : undefined)
          .shown(2)
          .answers(2),
      );
      const doomed = dying(store, at);
      const journeys = exporter(doomed);
      journeys.wake();
      const isDead = await Promise.race([journeys.running()?.then(() => false), doomed.dead.then(() => true)]);
      if (isDead !== true) break;
      killed += 1;
      // The killed process's lease expires.
      test.world.pass(6 * minute);
      // Some processes find what the killed one left. Others start when more changes have been added.
      if (at % 2 === 0) {
        await copy();
        await expectTrueCopy();
      }
    }
    expect(killed).toBeGreaterThan(15);
    await copy();
    await expectTrueCopy();
    expect(await changes()).toEqual([]);
  });

  it("holds the newest data, although a process that lost its lease writes later", async () => {
    const walk = visitor().shown(2);
    await copy();
    await send(walk);
    const slow = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    const late = exporter({
      fetch: async (input, init) => {
        if (String(input).includes("INSERT")) {
          sent.resolve();
          await slow.promise;
        }
        return fetch(input, init);
      },
    });
    late.wake();
    await sent.promise;
    test.world.pass(6 * minute);
    await send({ ...walk, events: walk.answers(2).shown(3).events.slice(1) });
    await copy();
    await send(visitor().shown(2));
    slow.resolve();
    await late.running();
    // The late process has not deleted the change that it did not write.
    expect(await changes()).not.toEqual([]);
    await copy();
    await expectTrueCopy();
    expect(failures).toEqual([]);
  });

  it("belongs to another process once the lease is lost: a late process says nothing about a copy begun since", async () => {
    await send(visitor().shown(2));
    const late = exporter({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).includes("INSERT")) return response;
        test.world.pass(6 * minute);
        await takeLease({ store, world: test.world }, "journeys to ClickHouse", minute);
        await store.write((queries) => queries.updateTable("journey_copy").set({ copy_name: "another", delivered: 0 }).execute());
        return response;
      },
    });
    late.wake();
    await late.running();
    expect(await state()).toMatchObject({ copy_name: "another", delivered: 0, copied_to: "", complete_at: null });
  });

  it("is written by one of several processes at a time", async () => {
    for (let n = 0; n < 20; n += 1) await send(visitor().shown(2));
    let inside = 0;
    let most = 0;
    const watched: typeof fetch = async (input, init) => {
      most = Math.max(most, (inside += 1));
      try {
        return await fetch(input, init);
      } finally {
        inside -= 1;
      }
    };
    await Promise.all([1, 2, 3].map(() => copy({ fetch: watched })));
    expect(most).toBe(1);
    await expectTrueCopy();
    expect(await store.read.selectFrom("task_leases").selectAll().execute()).toEqual([]);
  });

  it("catches up after ClickHouse was down; meanwhile the database is counted, and operators see the backlog and its cause", async () => {
    await send(visitor().shown(2));
    await copy();
    await server.stop();
    await send(visitor().shown(2));
    await copy();
    expect(failures).toEqual([expect.any(ClickHouseFailure)]);
    expect(await visitors()).toBe(2);
    await store.write((queries) =>
      queries
        .updateTable("journey_changes")
        .set({ at: test.world.now() - 11 * minute })
        .execute(),
    );
    const admin = await signInOperator(test, "admin");
    const { boxes, parts } = await admin.call("operations", {});
    expect(boxes.find(({ box }) => box === "journeys")).toEqual({
      box: "journeys",
      waiting: (await changes()).length,
      tried: (await changes()).length,
      failed: 0,
      oldestAt: test.world.now() - 11 * minute,
      nextAt: null,
    });
    expect(parts).toContainEqual({ name: "ClickHouse", state: "fails", says: "ClickHouse does not answer.", at: test.world.now() });
    const { rows } = await admin.call("outbox", { box: "journeys" });
    expect(rows[0]).toMatchObject({ state: "waiting", error: "ClickHouse does not answer.", mayRetry: false });
    const alerts = async () => {
      await evaluateRules({ store, world: test.world, onMail: () => undefined });
      return (await admin.call("operations", {})).alerts.map(({ rule, endedAt }) => [rule, endedAt === null]);
    };
    expect(await alerts()).toEqual([["copy-waits", true]]);
    await server.start();
    // A lagging copy is not read, even when ClickHouse is up.
    expect(await visitors()).toBe(2);
    await copy();
    expect(await alerts()).toEqual([["copy-waits", false]]);
    await expectTrueCopy();
    expect(await visitors()).toBe(2);
  });

  it("is retried at growing intervals while ClickHouse is down", async () => {
    await copy();
    await server.stop();
    await send(visitor().shown(2));
    const journeys = exporter();
    const tries = async () => {
      journeys.wake();
      await journeys.running();
      return failures.length;
    };
    expect([await tries(), await tries()]).toEqual([1, 1]);
    test.world.pass(5_000);
    expect([await tries(), await tries()]).toEqual([2, 2]);
    test.world.pass(minute);
    await server.start();
    expect(await tries()).toBe(2);
    await expectTrueCopy();
  });

  it("hides a visitor who was erased while ClickHouse was down, and deletes their rows from disk within two days", async () => {
    const uuid = test.world.uuid();
    const walks = [visitor(uuid).shown(2).answers(2), visitor(uuid).shown(2)];
    for (const walk of walks) await send(walk);
    // A device whose events name an account joins it only if they came before the sign-up.
    const person = await test.signUp({ uuid });
    await send(visitor().shown(2));
    await copy();
    const traces = async (final: "FINAL" | "") => {
      const named = [person.uuid, ...walks.map(({ device }) => device)];
      const [row] = await clickhouse.rows<{ readonly n: number }>(
        `SELECT count() AS n FROM ${await table()} ${final} WHERE device IN {named:Array(String)} OR began_on IN {named:Array(String)}`,
        { named },
      );
      return row?.n;
    };
    expect(await traces("FINAL")).toBe(2);
    await server.stop();
    const { token } = await test.logIn(person);
    await test.call("accountErase", { token, body: { password: person.password } });
    await test.erased();
    await server.start();
    await copy();
    expect(await traces("FINAL")).toBe(0);
    expect(await traces("")).toBeGreaterThan(0);
    expect(JSON.stringify(await changes())).not.toContain(walks[0]?.device);
    await expectTrueCopy();
    for (let days = 0; days < 2; days += 1) {
      test.world.pass(day);
      await copy();
    }
    expect(await traces("")).toBe(0);
    await expectTrueCopy();
    expect(await visitors()).toBe(2);
    expect(failures).toEqual([]);
  });

  it("begins again when ClickHouse has lost it, or when either database was restored, and keeps the old table", async () => {
    const names = new Set<string | undefined>();
    const beginsAnew = async (journeys = exporter()) => {
      for (let round = 0; round < 2; round += 1) {
        journeys.wake();
        await journeys.running();
        test.world.pass(minute);
      }
      await expectTrueCopy();
      expect(await visitors()).toBe(2);
      const name = (await state())?.copy_name;
      expect(names.has(name)).toBe(false);
      names.add(name);
    };
    await send(visitor().shown(2));
    await send(visitor().shown(2));
    const running = exporter();
    await beginsAnew(running);
    await clickhouse.run(`TRUNCATE TABLE ${await table()}`);
    expect(await visitors()).toBe(2);
    await store.write((queries) => queries.updateTable("journeys").set({ country: "BR" }).execute());
    await beginsAnew(running);
    expect(failures).toEqual([new Error("ClickHouse has lost journeys that it had stored.")]);
    // The database, restored from an older backup.
    await store.write((queries) => queries.updateTable("journey_copy").set({ edition: 0, delivered: 0 }).execute());
    await beginsAnew();
    await store.write((queries) => queries.deleteFrom("journey_copy").execute());
    await beginsAnew();
    const [told] = await clickhouse.rows<{ readonly n: number }>(
      "SELECT count() AS n FROM system.tables WHERE database = currentDatabase()",
    );
    expect(told?.n).toBe(names.size);
    expect(failures).toHaveLength(1);
  });

  it("is not read before it is complete, nor for a day or hour of which changes are missing", async () => {
    for (let n = 0; n < 3; n += 1) await send(visitor().shown(2));
    await copy();
    const hidden = await table();
    await clickhouse.run(`ALTER TABLE ${hidden} DELETE WHERE version != '' SETTINGS mutations_sync = 2`);
    expect(await visitors()).toBe(0);
    const [today, thisHour] = [dayStart(test.world.now()), hourStart(test.world.now())];
    const within = async (from: number, to: number) => {
      const kept = { version: "76", from, to };
      const { whole } = await countedWhereBest({ queries: store.read, url, kept }, ({ journeys }) =>
        journeys.sums({ version: "76" }, [{ from: 0, to: undefined }], {}),
      );
      return whole.visitors;
    };
    const ofDay = () => within(today, today + day);
    const ofHour = (hour: number) => within(hour, hour + 60 * minute);
    expect([await ofDay(), await ofHour(thisHour)]).toEqual([0, 0]);
    await send(visitor().shown(2));
    expect(await visitors()).toBe(0);
    expect([await ofDay(), await ofHour(thisHour)]).toEqual([4, 4]);
    // The change that waits cannot concern the hour before. It may concern the next hour: a start can move to an earlier time, so this visitor may
    // have been counted there.
    expect([await ofHour(thisHour - 60 * minute), await ofHour(thisHour + 60 * minute)]).toEqual([0, 4]);
    expect(await within(today + day, today + 2 * day)).toBe(0);
    await store.write((queries) => queries.updateTable("journey_copy").set({ complete_at: null }).execute());
    expect(await visitors()).toBe(4);
  });

  it("is given up when nobody has copied for thirty days, and changes are no longer recorded", async () => {
    await send(visitor().shown(2));
    await copy();
    await send(visitor().shown(2));
    test.world.pass(31 * day);
    await createRetention({ store, world: test.world, log }).run();
    expect([await state(), await changes()]).toEqual([undefined, []]);
    await send(visitor().shown(2));
    expect(await changes()).toEqual([]);
    await copy();
    await expectTrueCopy();
  });
});

/** A store and a `fetch` that die with their process at a given await: they do nothing after it, and nothing answers. */
function dying(store: Store, killAt: number): { readonly store: Store; readonly fetch: typeof fetch; readonly dead: Promise<void> } {
  const { promise: dead, resolve: die } = Promise.withResolvers<void>();
  let waits = 0;
  const wait = async () => {
    waits += 1;
    if (waits < killAt) return;
    die();
    await new Promise<never>(() => {});
  };
  const watched: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await wait();
      return result;
    },
  };
  return {
    dead,
    store: {
      ...store,
      read: store.read.withPlugin(watched),
      write: async (work) => {
        await wait();
        const result = await store.write(work);
        await wait();
        return result;
      },
    },
    fetch: async (...request) => {
      await wait();
      const response = await fetch(...request);
      await wait();
      return response;
    },
  };
}
