/** With a standby and ClickHouse, the standby is read and its journeys are counted in ClickHouse, unless the standby lags. */
import { openPostgres } from "#server/store/postgres.ts";
import { behindPgBouncer, createTestApp, databases } from "#test/app.ts";
import { hasClickHouse, startClickHouse } from "#test/clickhouse.ts";
import { startPostgres } from "#test/postgres.ts";
import { startStandby } from "#test/standby.ts";
import { signInOperator } from "#test/studio.ts";
import { walker } from "#test/traffic.ts";
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countedIn } from "../../store/store.ts";
import { createJourneyCopy } from "./copy.ts";
import { openClickHouse } from "./client.ts";
import { countedWhereBest } from "./reading.ts";
import { tableOf } from "./table.ts";

const tell = (error: Error) => console.error(error);
const log = {
  info: () => undefined,
  error: (details: object) => {
    throw new Error("It failed", { cause: details });
  },
};

describe.runIf(hasClickHouse && databases.includes("postgres") && !behindPgBouncer)("counts with a standby and ClickHouse", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  it("use ClickHouse while the standby follows, and the standby while it lags", async () => {
    const begunAt = Date.now();
    const primary = await startPostgres();
    closers.push(primary.stop);
    const databaseUrl = await primary.newDatabase("migrated");
    const standby = await startStandby(databaseUrl);
    closers.push(standby.close);
    const clickhouse = await startClickHouse();
    closers.push(clickhouse.remove);
    const url = await clickhouse.newDatabase();
    const store = countedIn(url, openPostgres(databaseUrl, tell, standby.url));
    const test = await createTestApp({ database: "postgres", store });
    closers.push(() => test.close());
    const reading = openPostgres(standby.url, tell);
    closers.push(() => reading.close());

    const { device, events } = walker({ device: randomUUID(), startsAt: test.world.now(), newId: randomUUID }).shown(2);
    const payload = { events, device, sentAt: new Date(test.world.now()).toISOString() };
    const sent = await test.app.inject({ method: "POST", url: "/api/send-event", headers: { "x-device-id": device }, payload });
    expect(sent.statusCode).toBe(202);
    const client = await signInOperator(test, "viewer");
    const visitors = async () => (await client.call("funnelSteps", { version: "76" })).here.visitors;
    await expect.poll(visitors).toBe(1);
    const journeys = createJourneyCopy({ store, world: test.world, log, url });
    journeys.wake();
    await journeys.running();
    const { copy_name } = await store.read.selectFrom("journey_copy").select("copy_name").executeTakeFirstOrThrow();
    // Deletes the rows in ClickHouse, so that its counts differ from the standby's.
    await openClickHouse(url).run(`ALTER TABLE ${tableOf(copy_name)} DELETE WHERE version != '' SETTINGS mutations_sync = 2`);
    await expect.poll(visitors).toBe(0);
    const counted = async () => {
      const { whole } = await countedWhereBest({ queries: reading.read, url, isStandby: true }, (best) =>
        best.journeys.sums({ version: "76" }, [{ from: undefined, to: undefined }], {}),
      );
      return whole.visitors;
    };
    const countedAt = async (at: number) => {
      const now = vi.spyOn(Date, "now").mockReturnValue(at);
      return counted().finally(() => now.mockRestore());
    };
    const replayedBy = Date.now();
    expect(await countedAt(begunAt)).toBe(0);
    expect(await countedAt(replayedBy + 61_000)).toBe(1);
  });
});
