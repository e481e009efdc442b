import { createTestApp, createTestStore, type DatabaseKind, databases } from "#test/app.ts";
import { inDatabase } from "#server/events/journeys.ts";
import type { Queries } from "#server/store/schema.ts";
import type { Store } from "#server/store/store.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

/** Sends `calls` calls at once, each with `events` events and from its own network and device. @returns the most calls that were written at the same time */
async function mostWritten(database: DatabaseKind, calls: number, events: number): Promise<number> {
  const store = await createTestStore(database);
  let [inside, most] = [0, 0];
  const write: Store["write"] = async (work) => {
    most = Math.max(most, ++inside);
    try {
      return await store.write(work);
    } finally {
      inside--;
    }
  };
  const t = await createTestApp({ database, store: { ...store, write } });
  const event = () => ({
    id: t.world.uuid(),
    eventType: "QuestionnaireQuestionShown",
    at: new Date(t.world.now()).toISOString(),
    payload: { questionnaire: "76", questionId: 2 },
  });
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, n) => {
      const body = { events: Array.from({ length: events }, event) };
      return t.send("sendEvent", { body, headers: { "x-device-id": t.world.uuid() }, from: `198.51.${n}.1` });
    }),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
  await t.close();
  return most;
}

it.each(databases)(
  "of many batches of events few are in the store at the same time, so that others' writes do not wait, on %s",
  async (database) => {
    expect(await mostWritten(database, 40, 100)).toBe(4);
  },
);

it("long events count more than once, so that nobody fills the disk", async () => {
  const limits = { "events.network": { points: 10, seconds: 60 } };
  const t = await createTestApp({ database: "sqlite", settings: { limits } });
  const send = async (error: string, from: string) => {
    const body = { eventType: "PurchaseFlow", payload: { stage: "error", error } };
    return (await t.send("sendEvent", { body, from })).statusCode;
  };
  for (let n = 0; n < 10; n++) expect(await send("declined", "203.0.113.1")).toBe(202);
  expect(await send("declined", "203.0.113.1")).toBe(429);
  // Six kilobytes.
  expect(await send("€".repeat(2_000), "203.0.113.2")).toBe(202);
  expect(await send("€".repeat(2_000), "203.0.113.2")).toBe(429);
  await t.close();
});

it.runIf(databases.includes("postgres"))(
  "of many calls with one event each, few have a connection of PostgreSQL at the same time: everybody shares twenty",
  async () => {
    expect(await mostWritten("postgres", 40, 1)).toBe(8);
  },
);

it.each(
  databases.flatMap((database) => [
    { database, whose: "nobody's" },
    { database, whose: "an account's" },
  ]),
)(
  "a made-up visitor on many devices, $whose, does not make each count read all those devices, on $database",
  async ({ database, whose }) => {
    const t = await createTestApp({ database });
    const person = await t.signUp();
    const [uuid, session] = whose === "nobody's" ? [t.world.uuid(), {}] : [person.uuid, { token: (await t.logIn(person)).token }];
    const visit = async (device: string, from: string) => {
      const body = { eventType: "QuestionnaireQuestionShown", payload: { uuid, questionnaire: "76", questionId: 2 } };
      expect(await t.call("sendEvent", { ...session, body, headers: { "x-device-id": device }, from })).toEqual({ accepted: 1 });
    };
    const devices = Array.from({ length: 60 }, () => t.world.uuid());
    for (const device of devices) await visit(device, "203.0.113.1");
    // Devices that already belong to the visitor still do.
    for (const device of devices.slice(0, 3)) await visit(device, "203.0.113.1");
    const linked = await t.store.read.selectFrom("event_devices").select("visitor").execute();
    expect(linked.map(({ visitor }) => visitor)).toEqual(Array.from({ length: 50 }, () => uuid));
    const { visitors } = (await inDatabase(t.store.read).journeys.sums({ version: "76" }, [{ from: 0, to: t.world.now() + 1 }], {})).whole;
    expect(visitors).toBe(11);
    await t.close();
  },
);

it.each(databases)(
  "a network whose events have filled its share of the database stores no more, and others still do, on %s",
  async (database) => {
    const t = await createTestApp({ database, settings: { limits: { "event-kilobytes.network": { points: 100, seconds: 3_600 } } } });
    const send = (many: number, text: string, from: string) => {
      const payload = { questionnaire: "76", questionId: 2, campaignId: text, versionId: text, advertisementId: text, theme: text };
      const event = () => ({
        id: t.world.uuid(),
        eventType: "QuestionnaireQuestionShown",
        at: new Date(t.world.now()).toISOString(),
        payload,
      });
      return t.send("sendEvent", { body: { events: Array.from({ length: many }, event) }, from });
    };
    expect((await send(50, "é".repeat(255), "203.0.113.1")).statusCode).toBe(429);
    expect((await send(50, "é".repeat(255), "203.0.113.1")).headers["retry-after"]).toMatch(/^\d+$/);
    expect((await send(100, "short", "203.0.113.2")).statusCode).toBe(202);
    expect((await send(100, "short", "203.0.113.2")).statusCode).toBe(202);
    expect((await send(100, "short", "203.0.113.2")).statusCode).toBe(429);
    expect((await send(100, "short", "203.0.113.3")).statusCode).toBe(202);
    const { stored } = await t.store.read
      .selectFrom("events")
      .select(({ fn }) => fn.countAll<number>().as("stored"))
      .executeTakeFirstOrThrow();
    expect(Number(stored)).toBe(300);
    await t.close();
  },
);

// SQLite has one writer at a time.
describe.skipIf(!databases.includes("postgres"))("two batches that write the same rows do not wait for each other on postgres", () => {
  const [first, second, third] = [
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000000002",
    "00000000-0000-4000-8000-000000000003",
  ];
  const device = "00000000-0000-4000-8000-000000000009";

  /** Another transaction first writes the row in the middle, so that both batches wait for it, and then rolls back. */
  async function answersTo(
    batches: (event: (id: string, version?: string) => object) => readonly (readonly object[])[],
    writeMiddle: (queries: Queries, at: number) => Promise<unknown>,
  ) {
    const t = await createTestApp({ database: "postgres" });
    const [written, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const middle = t.store
      .write(async (queries) => {
        await writeMiddle(queries, t.world.now());
        written.resolve();
        await waiting.promise;
        throw new Error("given up");
      })
      .catch(String);
    await written.promise;
    const at = new Date(t.world.now()).toISOString();
    const event = (id: string, questionnaire = "76") => ({
      id,
      eventType: "QuestionnaireQuestionShown",
      at,
      payload: { questionnaire, questionId: 2 },
    });
    const sent = batches(event).map((events) => t.send("sendEvent", { body: { events }, headers: { "x-device-id": device } }));
    const waits = sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waits.execute(t.store.read)).rows[0]?.n).toBe(2);
    waiting.resolve();
    expect(await middle).toBe("Error: given up");
    const answers = await Promise.all(sent);
    const kept = await t.store.read.selectFrom("events").select("id").orderBy("id").execute();
    await t.close();
    return { statuses: answers.map(({ statusCode }) => statusCode), kept: kept.map(({ id }) => id) };
  }

  it("with the same events in another order", async () => {
    const answers = await answersTo(
      (event) => [
        [event(first), event(third), event(second)],
        [event(second), event(third), event(first)],
      ],
      (queries, at) =>
        queries
          .insertInto("events")
          .values({ id: third, event_type: "CampaignEvent", payload: "{}", happened_at: at, received_at: at })
          .execute(),
    );
    expect(answers).toEqual({ statuses: [202, 202], kept: [first, second, third] });
  });

  it("of one device in the same versions in another order", async () => {
    const ids = Array.from({ length: 6 }, (_, n) => `00000000-0000-4000-8000-00000000001${n}`);
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = ids;
    const answers = await answersTo(
      (event) => [
        [event(a, "76"), event(b, "83"), event(c, "78")],
        [event(d, "78"), event(e, "83"), event(f, "76")],
      ],
      (queries, at) =>
        queries.insertInto("journeys").values({ device_id: device, version: "83", started_at: at, last_at: at, steps: "[]" }).execute(),
    );
    expect(answers).toEqual({ statuses: [202, 202], kept: ids });
  });
});
