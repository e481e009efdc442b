/** Processes on one PostgreSQL whose clocks differ. The database's clock counts, so processes respect each other's claims. */
import { databaseClock } from "#server/store/clock.ts";
import { takeLease } from "#server/store/lease.ts";
import { startApi } from "#test/apiProcess.ts";
import { createTestStore, databases } from "#test/app.ts";
import { sampled } from "#test/sampled.ts";
import { startTricklingSmtp } from "#test/tricklingSmtp.ts";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";

const minute = 60_000;
const metricsToken = "metrics-token-of-the-operator";

describe.runIf(databases.includes("postgres")).each(sampled([-5 * minute, 5 * minute], 1))("with a clock that is %d ms ahead", (wrong) => {
  it("a process does not send a mail that another process is sending, and the other none of its mails", async () => {
    const smtp = await startTricklingSmtp();
    onTestFinished(smtp.close);
    const databaseUrl = await (await fetch(new URL("migrated", inject("postgresBroker")))).text();
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: tmpdir(), SMTP_URL: smtp.url, METRICS_TOKEN: metricsToken };
    const moved = { NODE_OPTIONS: `--import=${join(process.cwd(), "test/movedClock.ts")}`, CLOCK_WRONG_MS: String(wrong) };
    const skewOf = async (base: string) => {
      const answer = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
      return (Number(/^parlando_clock_skew_seconds (\S+)$/m.exec(await answer.text())?.[1]) / 60).toFixed(0).replace("-0", "0");
    };
    const start = async (more: Readonly<Record<string, string>>) => {
      const api = await startApi({ ...env, ...more });
      onTestFinished(api.kill);
      return api.base;
    };
    const mailFrom = async (base: string, n: number) => {
      const answer = await fetch(`${base}/api/signup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          uuid: randomUUID(),
          email: `slow${n}@town${n}.example`,
          password: "correct horse",
          uiLanguage: "es-419",
          questionnaire: "76",
          version: "v5.7.8",
        }),
      });
      expect(answer.status).toBe(200);
      // The sign-up wakes this process's mailer, which takes every due mail.
      await expect.poll(smtp.trickling).toBeGreaterThanOrEqual(n);
    };
    // Both before the first mail: a try at sending ends after 30 s, and a busy machine starts a process slowly.
    const [right, other] = [await start({}), await start(moved)];
    await mailFrom(right, 1);
    expect([await skewOf(right), await skewOf(other)]).toEqual(["0", String(wrong / minute)]);
    await mailFrom(other, 2);
    await mailFrom(right, 3);
    await mailFrom(other, 4);
    expect(smtp.trickling()).toBe(4);
    smtp.answer();
    await expect.poll(() => smtp.taken.toSorted()).toEqual([1, 2, 3, 4].map((n) => `slow${n}@town${n}.example`));
  });

  it("a process does not take a lease that another process holds, and the other none of its leases", async () => {
    const store = await createTestStore("postgres");
    onTestFinished(store.close);
    const warned: unknown[] = [];
    const log = { info: () => {}, warn: (details: object) => void warned.push(details) };
    const processWith = async (offMs: number) => ({
      store,
      world: { ...(await databaseClock({ store, world: { now: () => Date.now() + offMs }, log })), uuid: randomUUID },
    });
    const [right, other] = [await processWith(0), await processWith(wrong)];
    expect(warned).toEqual([{ aheadMs: expect.closeTo(wrong, -4) }]);
    for (const [holder, late] of [
      [right, other],
      [other, right],
    ] as const) {
      const lease = await takeLease(holder, "a task", minute);
      expect(await takeLease(late, "a task", minute)).toBeNull();
      await lease?.release();
    }
    const after = await takeLease(other, "a task", minute);
    expect(after).not.toBeNull();
  });
});

it.runIf(databases.includes("postgres"))(
  "a correction of the machine's clock while a process runs does not change the process's time, and is logged once",
  async () => {
    const store = await createTestStore("postgres");
    onTestFinished(store.close);
    const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() };
    let wrong = 0;
    const clock = await databaseClock({ store, world: { now: () => Date.now() + wrong }, log });
    onTestFinished(clock.stop);
    const isRight = () => Math.abs(clock.now() - Date.now()) < minute;
    expect(isRight()).toBe(true);
    wrong = 60 * minute;
    expect(isRight()).toBe(true);
    await expect.poll(() => Math.round(clock.aheadMs() / minute)).toBe(60);
    expect([isRight(), log.warn.mock.calls.length]).toEqual([true, 1]);
    wrong = 0;
    expect(isRight()).toBe(true);
    await expect.poll(() => log.info.mock.calls.length).toBe(1);
    expect([isRight(), log.warn.mock.calls.length]).toEqual([true, 1]);
  },
);

it("SQLite uses the machine's clock", async () => {
  const store = await createTestStore("sqlite");
  onTestFinished(store.close);
  const clock = await databaseClock({ store, world: { now: () => 42 }, log: { info: () => {}, warn: () => {} } });
  expect([clock.now(), clock.aheadMs()]).toEqual([42, 0]);
});
