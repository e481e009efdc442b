import { versions } from "#content/questionnaires/index.ts";
import type { SentEvent } from "#core/events.ts";
import { createTestStore, createTestWorld, databases, startTime } from "#test/app.ts";
import { completedOrder } from "#test/orders.ts";
import { type Walker, walker } from "#test/traffic.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import { forgetVisits } from "./forget.ts";
import { inDatabase } from "./journeys.ts";
import { keepEvents } from "./keep.ts";
import { versionReports } from "./report.ts";
import { idleAfter } from "./tally.ts";

const minute = 60_000;
const hour = 60 * minute;
const now = startTime + 10 * hour;

describe.each(databases)("the report on %s", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await createTestStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(() =>
    store.write(async (queries) => {
      for (const table of ["events", "journeys", "event_devices", "orders"] as const) await queries.deleteFrom(table).execute();
    }),
  );
  const { uuid: newId } = createTestWorld();
  const visitor = (startsAt: number, more: { readonly device?: string; readonly uuid?: string; readonly version?: string } = {}) =>
    walker({ device: newId(), startsAt, newId, ...more });

  /** Sends a device's events in batches, at the time of the last one unless stated otherwise. */
  async function send(
    { device, events }: Pick<Walker, "device" | "events">,
    { size = 100, receivedAt, ahead = 0 }: { readonly size?: number; readonly receivedAt?: number; readonly ahead?: number } = {},
  ) {
    for (let at = 0; at < events.length; at += size) {
      const batch = events.slice(at, at + size);
      const sentAt = Math.max(...batch.map((event) => Date.parse(event.at)));
      await store.write((queries) =>
        keepEvents(queries, {
          events: batch,
          versions,
          device,
          sentAt,
          accountUuid: null,
          country: null,
          receivedAt: receivedAt ?? sentAt - ahead,
        }),
      );
    }
  }
  const buyer = "11111111-1111-4111-8111-111111111111";
  const order = (accountUuid: string, status = "completed", createdAt = startTime + minute) =>
    store.write((queries) =>
      queries
        .insertInto("orders")
        .values({ ...completedOrder(newId(), accountUuid, createdAt), status })
        .execute(),
    );
  const steps = async (filter: Partial<Parameters<typeof versionReports>[1]> = {}) => {
    const reports = await versionReports(inDatabase(store.read), { now, ...filter });
    for (const report of reports)
      for (const { entered, wentOn, left, stillThere } of report.steps) expect(entered).toBe(wentOn + left + stillThere);
    return reports.map((report) => ({
      ...report,
      steps: Object.fromEntries(
        report.steps.map(({ questionId, entered, wentOn, left, stillThere }) => [questionId, [entered, wentOn, left, stillThere]]),
      ),
    }));
  };
  const only = async (filter?: Parameters<typeof steps>[0]) => (await steps(filter))[0];

  it("is empty before the first visitor", async () => expect(await steps()).toEqual([]));

  it("says for every step how many entered, went on, left and are still there", async () => {
    await send(visitor(startTime).shown(2).answers(2).shown(3).answers(3).shown(4));
    await send(visitor(startTime).shown(2).answers(2).shown(3));
    await send(visitor(startTime).shown(2));
    await send(
      visitor(now - idleAfter)
        .shown(2)
        .answers(2)
        .shown(3),
    );
    await send(visitor(startTime, { uuid: buyer }).shown(2).answers(2).shown(82).buys(82));
    await order(buyer);
    expect(await only()).toEqual({
      version: "76",
      changedDays: 0,
      visitors: 5,
      began: 4,
      purchases: 1,
      steps: { 2: [5, 4, 1, 0], 3: [3, 1, 1, 1], 4: [1, 0, 1, 0], 82: [1, 1, 0, 0] },
    });
  });

  it("says the same of a visitor who reached two questions on two devices at the same time, whichever device is stored first", async () => {
    const on = (device: string, questionId: number) => visitor(startTime, { device, uuid: buyer }).shown(2).answers(2).shown(questionId);
    const [one, other] = [on("00000000-0000-4000-8000-000000000001", 3), on("00000000-0000-4000-8000-000000000002", 4)];
    const counted = async (sent: readonly Walker[]) => {
      for (const table of ["events", "journeys", "event_devices"] as const)
        await store.write((queries) => queries.deleteFrom(table).execute());
      for (const walk of sent) await send(walk);
      return (await only())?.steps;
    };
    expect(await counted([one, other])).toEqual(await counted([other, one]));
  });

  it("takes purchases from the ledger, never from a device", async () => {
    await send(visitor(startTime).shown(82).buys(82));
    await send(visitor(startTime, { uuid: buyer }).shown(82));
    await order(buyer, "failed");
    await order(buyer, "completed", startTime - hour);
    expect((await only())?.purchases).toBe(0);
    await order(buyer);
    await order(buyer);
    expect((await only())?.purchases).toBe(1);
  });

  it("counts an answer without a shown question as entered and gone on", async () => {
    await send(visitor(startTime).answers(2).shown(3));
    expect((await only())?.steps).toEqual({ 2: [1, 1, 0, 0], 3: [1, 0, 1, 0] });
  });

  it("recognizes a look back: the visitor stands where they had arrived", async () => {
    await send(visitor(startTime).shown(2).answers(2).shown(3).answers(3).shown(4).shown(3).shown(2));
    expect((await only())?.steps).toEqual({ 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 4: [1, 0, 1, 0] });
  });

  it("follows a changed answer: nobody is left behind on the abandoned path", async () => {
    await send(visitor(startTime).shown(2).answers(2, 1).shown(3).answers(3).shown(4).shown(3).shown(2).answers(2, 2).shown(7));
    await send(visitor(startTime).shown(2).answers(2, 1).shown(3).answers(3).shown(4).shown(3).shown(2).answers(2, 2).shown(3));
    expect((await only())?.steps).toEqual({ 2: [2, 2, 0, 0], 3: [2, 1, 1, 0], 4: [2, 2, 0, 0], 7: [1, 0, 1, 0] });
  });

  it("counts events once that were sent twice, in pieces, or again after a lost answer", async () => {
    const walk = visitor(startTime).shown(2).answers(2).shown(3).answers(3).shown(4);
    await send(walk, { size: 2 });
    await send(walk, { size: 3 });
    await send(walk);
    const [counted] = await store.read
      .selectFrom("events")
      .select((fields) => fields.fn.countAll().as("n"))
      .execute();
    expect([Number(counted?.n), (await only())?.steps]).toEqual([5, { 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 4: [1, 0, 1, 0] }]);
  });

  it("is the same in whatever order and however late events arrive", async () => {
    const walk = visitor(startTime)
      .shown(2)
      .answers(2, 1)
      .shown(3)
      .answers(3)
      .shown(4)
      .shown(3)
      .shown(2)
      .answers(2, 2)
      .shown(7)
      .shown(2)
      .shown(7);
    const shuffled = walk.events
      .map((event, n): readonly [number, SentEvent] => [(n * 7) % walk.events.length, event])
      .toSorted(([a], [b]) => a - b)
      .map(([, event]) => event);
    for (const events of [walk.events.toReversed(), shuffled]) {
      await store.write(async (queries) => {
        for (const table of ["events", "journeys", "event_devices"] as const) await queries.deleteFrom(table).execute();
      });
      await send({ device: walk.device, events }, { size: 1 });
      expect((await only())?.steps).toEqual({ 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 4: [1, 1, 0, 0], 7: [1, 0, 1, 0] });
    }
  });

  it("counts a visitor once who goes on at another device, and places them where they went on", async () => {
    const uuid = newId();
    await send(visitor(startTime, { uuid }).shown(2).answers(2).shown(3).answers(3).shown(40));
    await send(
      visitor(startTime + hour, { uuid })
        .shown(40)
        .answers(40)
        .shown(41),
    );
    expect(await only()).toMatchObject({
      visitors: 1,
      steps: { 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 40: [1, 1, 0, 0], 41: [1, 0, 1, 0] },
    });
  });

  it("identifies a device's visitor by its latest event, though earlier ones had no uuid yet", async () => {
    const [uuid, device] = [newId(), newId()];
    await send(visitor(startTime, { device }).shown(2));
    const later = visitor(startTime + minute, { device, uuid })
      .shown(2)
      .answers(2)
      .shown(3);
    await send({ device, events: later.events.map((event, n) => ({ ...event, sequence: n + 2 })) });
    await send(
      visitor(startTime + hour, { uuid })
        .shown(3)
        .answers(3)
        .shown(4),
    );
    expect(await only()).toMatchObject({ visitors: 1, steps: { 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 4: [1, 0, 1, 0] } });
  });

  it("corrects a device's clock that is a day ahead or years behind", async () => {
    const uuid = newId();
    const day = 24 * hour;
    await send(
      visitor(startTime + day, { uuid })
        .shown(2)
        .answers(2)
        .shown(3),
      { ahead: day },
    );
    await send(
      visitor(startTime + minute - 900 * day, { uuid })
        .shown(3)
        .answers(3)
        .shown(4),
      { ahead: -900 * day },
    );
    expect(await only()).toMatchObject({ visitors: 1, steps: { 2: [1, 1, 0, 0], 3: [1, 1, 0, 0], 4: [1, 0, 1, 0] } });
    const times = await store.read.selectFrom("journeys").select(["started_at"]).orderBy("started_at").execute();
    expect(times).toEqual([{ started_at: startTime }, { started_at: startTime + minute }]);
  });

  it("does not accept a device's time in the future", async () => {
    await store.write((queries) =>
      keepEvents(queries, {
        ...visitor(startTime + 5 * hour).shown(2),
        versions,
        sentAt: null,
        accountUuid: null,
        country: null,
        receivedAt: startTime,
      }),
    );
    expect(await store.read.selectFrom("events").select("happened_at").execute()).toEqual([{ happened_at: startTime }]);
  });

  it("separates versions and takes the visitors who started in the requested time", async () => {
    await send(visitor(startTime, { version: "83" }).shown(2));
    await send(visitor(startTime).shown(2));
    await send(
      visitor(startTime + hour)
        .shown(2)
        .answers(2)
        .shown(3),
    );
    await send(visitor(startTime + 2 * hour).shown(2));
    expect((await steps()).map(({ version, visitors }) => [version, visitors])).toEqual([
      ["76", 3],
      ["83", 1],
    ]);
    expect(await steps({ version: "76", from: startTime + hour, to: startTime + 2 * hour })).toMatchObject([
      { version: "76", visitors: 1, steps: { 2: [1, 1, 0, 0], 3: [1, 0, 1, 0] } },
    ]);
  });

  it("still counts an erased visitor as one, though nothing leads to a person", async () => {
    const [uuid, device] = [newId(), newId()];
    await send(visitor(startTime, { uuid, device }).shown(2).answers(2).shown(3));
    await send(
      visitor(startTime + hour, { uuid })
        .shown(3)
        .answers(3)
        .shown(4),
    );
    const before = await only();
    await store.write((queries) => forgetVisits(queries, createTestWorld(), uuid, newId()));
    expect(await only()).toEqual(before);
    const left = JSON.stringify([
      await store.read.selectFrom("journeys").selectAll().execute(),
      await store.read.selectFrom("event_devices").selectAll().execute(),
    ]);
    for (const trace of [uuid, device]) expect(left).not.toContain(trace);
  });

  it("contains the median answering time", async () => {
    for (const pause of [1, 2, 9]) {
      const walk = visitor(startTime).shown(2).answers(2);
      await send({
        device: walk.device,
        events: walk.events.map((event, n) => (n === 0 ? event : { ...event, at: new Date(startTime + pause * 1000).toISOString() })),
      });
    }
    const [report] = await versionReports(inDatabase(store.read), { now });
    expect(report?.steps.map(({ medianSeconds }) => medianSeconds)).toEqual([2]);
  });
});
