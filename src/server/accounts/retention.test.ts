/** The retention periods of the privacy policy, to the millisecond. */
import { insertAccount } from "#test/accounts.ts";
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import { watchStatements } from "#test/statements.ts";
import type { Database } from "#server/store/schema.ts";
import type { Store } from "#server/store/store.ts";
import { type Insertable, sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRetention, type Retention } from "./retention.ts";
import { refreshTokenLife } from "./sessions.ts";
import { retentionPeriods } from "../base/retentionPeriods.ts";

const hour = 3_600_000;

describe.each(databases)("retention on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let retention: Retention;
  const log = { info: vi.fn<(details: object, message: string) => void>(), error: vi.fn<(details: object, message: string) => void>() };
  beforeEach(async () => {
    store = await createTestStore(database);
    world = createTestWorld();
    world.pass(20 * 365 * 24 * hour);
    log.info.mockClear();
    log.error.mockClear();
    retention = createRetention({ store, world, log });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
  });

  const insert = <T extends keyof Database>(table: T, rows: readonly Insertable<Database[T]>[]) =>
    store.write((queries) =>
      queries
        .insertInto(table)
        .values([...rows])
        .execute(),
    );
  const idsOf = async (table: "link_tokens" | "email_changes" | "sessions" | "mail_outbox" | "events" | "consent_records" | "audit") =>
    (await store.read.selectFrom(table).select("id").orderBy("id").execute()).map(({ id }) => id);
  const audit = (id: string, at: number) => ({ id, at, account_uuid: null, kind: "x", data: "{}" });

  it("removes a link a day after its end, and an audit row after three years", async () => {
    const account_uuid = await insertAccount(store, world);
    const link = (id: string, expires_at: number) => ({
      id,
      token_hash: id,
      purpose: "login",
      account_uuid,
      email: "a@example.com",
      created_at: 0,
      expires_at,
      used_at: null,
      code_tries: 0,
    });
    const [now, { links, audit: logs }] = [world.now(), retentionPeriods];
    await insert("link_tokens", [link("gone", now - links - 1), link("kept", now - links), link("open", now + 1)]);
    await insert("audit", [audit("gone", now - logs - 1), audit("kept", now - logs), audit("new", now)]);
    expect(await retention.run()).toBe(2);
    expect([await idsOf("link_tokens"), await idsOf("audit")]).toEqual([
      ["kept", "open"],
      ["kept", "new"],
    ]);
    expect(log.info.mock.calls).toEqual([[{ rows: 2 }, expect.any(String)]]);
    expect(await retention.run()).toBe(0);
    expect(log.info).toHaveBeenCalledOnce();
  });

  it("removes an account's earlier address thirty days after the change was requested", async () => {
    const account_uuid = await insertAccount(store, world);
    const change = (id: string, asked_at: number) => ({
      id,
      account_uuid,
      from_email: "a@example.com",
      to_email: "b@example.com",
      session_id: "s",
      asked_at,
      expires_at: asked_at,
      outcome: null,
      ended_at: null,
    });
    const end = world.now() - retentionPeriods.emailChanges;
    await insert("email_changes", [change("gone", end - 1), change("kept", end)]);
    expect(await retention.run()).toBe(1);
    expect(await idsOf("email_changes")).toEqual(["kept"]);
  });

  it("runs in one process at a time, and another one takes over when that one is killed", async () => {
    const long = world.now() - retentionPeriods.audit - 1;
    const lines = () => Promise.all([1, 2, 3].map((n) => insert("audit", [audit(world.uuid(), long - n)])));
    await lines();
    const other = createRetention({ store, world, log });
    expect((await Promise.all([retention.run(), other.run()])).toSorted()).toEqual([0, 3]);
    await lines();
    await insert("task_leases", [{ task: "retention", holder: "killed", expires_at: world.now() + 10 * 60_000 }]);
    expect(await other.run()).toBe(0);
    world.pass(10 * 60_000);
    expect(await other.run()).toBe(3);
    await lines();
    // A lease from before the clock was set back.
    await insert("task_leases", [{ task: "retention", holder: "killed", expires_at: world.now() + 24 * hour }]);
    expect(await other.run()).toBe(3);
  });

  it("removes a session thirty days after its end or its last token, and an expired token", async () => {
    const account_uuid = await insertAccount(store, world);
    const now = world.now();
    const session = (id: string, started_at: number, ended_at: number | null) => ({
      id,
      account_uuid,
      started_at,
      ended_at,
      end_reason: null,
      entered_by: "password",
    });
    const long = now - refreshTokenLife - 1;
    await insert("sessions", [
      session("ended", long, long),
      session("ended a moment later", long + 1, long + 1),
      session("forgotten", long, null),
      session("in use", long, null),
      session("new", long + 1, null),
    ]);
    const token = (session_id: string, expires_at: number) => ({
      token_hash: session_id,
      session_id,
      issued_at: 0,
      expires_at,
      used_at: null,
      successor_hash: null,
    });
    await insert("refresh_tokens", [token("forgotten", now - 1), token("in use", now)]);
    expect(await retention.run()).toBe(3);
    expect(await idsOf("sessions")).toEqual(["ended a moment later", "in use", "new"]);
    expect(await store.read.selectFrom("refresh_tokens").select("token_hash").execute()).toEqual([{ token_hash: "in use" }]);
  });

  it("removes a mail thirty days after it was queued, unless it still has to be sent", async () => {
    const mail = (id: string, created_at: number, next_attempt_at: number | null) => ({
      id,
      template: "receipt",
      locale: "de-DE",
      recipient: "a@example.com",
      data: "{}",
      created_at,
      sent_at: null,
      attempts: 0,
      next_attempt_at,
      error: null,
    });
    const last = world.now() - retentionPeriods.mails;
    await insert("mail_outbox", [mail("gone", last - 1, null), mail("kept", last, null), mail("waiting", last - 1, 5)]);
    await retention.run();
    expect(await idsOf("mail_outbox")).toEqual(["kept", "waiting"]);
  });

  it("removes an event after 760 days, a visit with its device's last event, and a cookie choice three years after it ended", async () => {
    const now = world.now();
    const event = (id: string, received_at: number) => ({
      id,
      event_type: "ChatbotOpen",
      account_uuid: null,
      device_id: null,
      country: null,
      payload: "{}",
      happened_at: 0,
      received_at,
      sequence: null,
    });
    await insert("events", [event("gone", now - retentionPeriods.events - 1), event("kept", now - retentionPeriods.events)]);
    const visit = (device_id: string, version: string, last_at: number) => ({
      device_id,
      version,
      started_at: 0,
      last_at,
      locale: null,
      country: null,
      platform: null,
      campaign: null,
      steps: "[]",
    });
    const [long, lately] = [now - retentionPeriods.events - 1, now - retentionPeriods.events];
    await insert(
      "event_devices",
      ["away", "back", "nowhere"].map((device_id) => ({ device_id, visitor: "v", sequence: 1 })),
    );
    await insert("journeys", [
      visit("away", "76", long),
      visit("away", "77", long),
      visit("back", "76", long),
      visit("back", "77", lately),
    ]);
    const choice = (id: string, received_at: number) => ({
      id,
      device_id: null,
      account_uuid: null,
      chosen_at: 0,
      received_at,
      text_version: "1",
      functional: 1,
      analytics: 0,
      marketing: 0,
      source: "banner",
      country: null,
    });
    await insert("consent_records", [choice("gone", now - retentionPeriods.consents - 1), choice("kept", now - retentionPeriods.consents)]);
    expect(await retention.run()).toBe(6);
    expect([await idsOf("events"), await idsOf("consent_records")]).toEqual([["kept"], ["kept"]]);
    const devices = async (table: "journeys" | "event_devices") =>
      (await store.read.selectFrom(table).select("device_id").execute()).map(({ device_id }) => device_id);
    expect([await devices("journeys"), await devices("event_devices")]).toEqual([["back", "back"], ["back"]]);
  });

  it("removes what operators did, buyers' notices and trials, and the record of an unused copy, each after its own time", async () => {
    const now = world.now();
    const { audit: log_, operatorSessions, links, contractNotices, trials, unusedCopy } = retentionPeriods;
    const around = (period: number) =>
      [
        { id: "gone", at: now - period - 1 },
        { id: "kept", at: now - period },
      ] as const;
    await insert("operators", [{ id: "op", address: "op@example.com", name: "Op", role: "admin", created_at: 0, removed_at: null }]);
    await insert(
      "operator_audit",
      around(log_).map((row) => ({ ...row, operator_name: "Op", action: "x", subject: "x" })),
    );
    await insert(
      "operator_sessions",
      around(operatorSessions).map(({ id, at }) => ({
        id,
        token_hash: id,
        operator_id: "op",
        entered_by: "link",
        browser: "",
        network: "",
        started_at: at,
        seen_at: now,
        fresh_at: now,
      })),
    );
    await insert(
      "operator_links",
      around(links).map(({ id, at }) => ({ id, token_hash: id, purpose: "first", created_at: 0, expires_at: at })),
    );
    await insert(
      "contract_notices",
      [
        ...around(contractNotices).map((row) => ({ ...row, next_attempt_at: null })),
        { id: "waits", at: now - contractNotices - 1, next_attempt_at: now },
      ].map(({ id, at, next_attempt_at }) => ({
        id,
        kind: "cancel" as const,
        received_at: at,
        locale: "de-DE",
        email: "a@example.com",
        name: "A",
        contract: "x",
        for_cause: 0,
        state: "done" as const,
        attempts: 1,
        next_attempt_at,
      })),
    );
    await insert(
      "trials_used",
      around(trials).map(({ id, at }) => ({ hash: id, plan: "1M", order_id: id, used_at: at })),
    );
    const copy = (tried_at: number) => ({
      place: "clickhouse" as const,
      copy_name: "x",
      edition: 0,
      delivered: 0,
      copied_to: "",
      settled: 0,
      settled_at: 0,
      tried_at,
      tries: 0,
    });
    await insert("journey_copy", [copy(now - unusedCopy)]);
    expect(await retention.run()).toBe(5);
    for (const table of ["operator_audit", "operator_sessions", "operator_links"] as const)
      expect([table, await store.read.selectFrom(table).select("id").execute()]).toEqual([table, [{ id: "kept" }]]);
    expect(await store.read.selectFrom("contract_notices").select("id").orderBy("id").execute()).toEqual([{ id: "kept" }, { id: "waits" }]);
    expect(await store.read.selectFrom("trials_used").select("hash").execute()).toEqual([{ hash: "kept" }]);
    expect(await store.read.selectFrom("journey_copy").select("place").execute()).toEqual([{ place: "clickhouse" }]);
    await store.write((queries) =>
      queries
        .updateTable("journey_copy")
        .set({ tried_at: now - unusedCopy - 1 })
        .execute(),
    );
    expect(await retention.run()).toBe(1);
  });

  const another = () => store.write((queries) => queries.updateTable("task_leases").set({ holder: "another" }).execute());
  it.each<[string, (running: Retention) => Promise<unknown>]>([
    ["its process ends", (running) => running.stop()],
    ["another process has the lease", another],
  ])("stops between two writes when %s", async (_, happens) => {
    const rows = Array.from({ length: 1_001 }, (__, n) => audit(`row ${n}`, 0));
    for (let n = 0; n < 1_001; n += 500) await insert("audit", rows.slice(n, n + 500));
    let happened = false;
    const watched: Store = {
      ...store,
      write: async (work) => {
        const done = await store.write(work);
        if (!happened && (await idsOf("audit")).length === 1) {
          happened = true;
          await happens(running);
        }
        return done;
      },
    };
    const running = createRetention({ store: watched, world, log });
    expect(await running.run()).toBe(1_000);
    expect(await idsOf("audit")).toHaveLength(1);
  });

  it("touches a limited number of rows per statement, never scans a large table, and leaves others their turn", async () => {
    const watched = watchStatements();
    const fresh = await createTestStore(database);
    const visits = Array.from({ length: 600 }, (_, n) => `device ${String(n).padStart(4, "0")}`);
    const left = visits.filter((_, n) => n % 3 > 0);
    const account_uuid = await insertAccount(fresh, world);
    const long = world.now() - refreshTokenLife - 1;
    const waits: number[] = [];
    try {
      await fresh.write(async (queries) => {
        for (const device_id of visits) {
          await queries.insertInto("event_devices").values({ device_id, visitor: "v", sequence: 1 }).execute();
          const session = { id: device_id, account_uuid, started_at: long, ended_at: null, end_reason: null, entered_by: "link" };
          await queries.insertInto("sessions").values(session).execute();
          if (!left.includes(device_id)) continue;
          const visit = { device_id, version: "76", started_at: 0, last_at: world.now(), steps: "[]" };
          await queries.insertInto("journeys").values(visit).execute();
          const token = { token_hash: device_id, session_id: device_id, issued_at: 0, expires_at: world.now() + 1 };
          await queries.insertInto("refresh_tokens").values(token).execute();
        }
      });
      watched.clear();
      const wait = async (ms: number) => void waits.push(ms);
      expect(await createRetention({ store: fresh, world: { ...world, wait }, log }).run()).toBe(400);
      const statements = [...watched.seen];
      const devices = await fresh.read.selectFrom("event_devices").select("device_id").orderBy("device_id").execute();
      const sessions = await fresh.read.selectFrom("sessions").select("id").orderBy("id").execute();
      expect([devices.map(({ device_id: id }) => id), sessions.map(({ id }) => id)]).toEqual([left, left]);
      expect(waits).toHaveLength(4);
      expect(statements.filter(({ rows }) => rows > 250)).toEqual([]);
      if (database !== "sqlite") return;
      for (const text of new Set(statements.map((one) => one.sql).filter((one) => /^\s*(select|delete)/i.test(one)))) {
        const plan = await sql<{ detail: string }>`${sql.raw(`EXPLAIN QUERY PLAN ${text}`)}`.execute(fresh.read);
        const scans = plan.rows.filter(({ detail }) =>
          // All mails that were sent have the same next attempt: none.
          /^SCAN (?!email_changes|login_code_tries|operator_|journey_c|CONSTANT)|\(next_attempt_at=\?\)/.test(detail),
        );
        expect([text, scans]).toEqual([text, []]);
      }
    } finally {
      await fresh.close();
    }
  });

  it("removes a batch of rows per write until none are left", async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => audit(`row ${n}`, 0));
    for (let n = 0; n < 2_000; n += 500) await insert("audit", rows.slice(n, n + 500));
    expect(await retention.run()).toBe(2_000);
    expect(await idsOf("audit")).toEqual([]);
    expect(log.info.mock.calls[0]?.[0]).toEqual({ rows: 2_000 });
  });

  it("runs at once and every six hours until stopped, and logs failures", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    // `expect.poll` would advance the timers.
    const untilEmpty = async (rows: () => Promise<readonly unknown[]>) => {
      while ((await rows()).length > 0) await setImmediate();
    };
    const rounds = async (id: string) => {
      await insert("audit", [audit(id, 0)]);
      return async () => {
        await untilEmpty(() => idsOf("audit"));
        await untilEmpty(() => store.read.selectFrom("task_leases").select("task").execute());
      };
    };
    const first = await rounds("first");
    retention.start();
    await first();
    const second = await rounds("second");
    vi.advanceTimersByTime(6 * hour - 1);
    expect(await idsOf("audit")).toEqual(["second"]);
    vi.advanceTimersByTime(1);
    await second();
    await retention.stop();
    expect(vi.getTimerCount()).toBe(0);
    const broken = createRetention({ store: { ...store, write: () => Promise.reject(new Error("full")) }, world, log });
    broken.start();
    await broken.stop();
    expect(log.error.mock.calls).toEqual([[{ err: new Error("full") }, "Old data could not be removed"]]);
  });
});
