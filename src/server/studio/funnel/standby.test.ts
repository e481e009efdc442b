/** A primary and its standby. The studio counts on the standby and says how recent that is; visitors never need the standby. */
import { addOperator } from "#server/studio/operators/operators.ts";
import { createOperatorLink } from "#server/studio/operators/links.ts";
import { openPatiently } from "#test/patientPostgres.ts";
import { studioCalls } from "#studio/contract.ts";
import { startApi } from "#test/apiProcess.ts";
import { behindPgBouncer, createTestWorld, databases } from "#test/app.ts";
import { startPostgres } from "#test/postgres.ts";
import { type Standby, startStandby } from "#test/standby.ts";
import { walker } from "#test/traffic.ts";
import { startedEnv } from "#test/startedEnv.ts";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const secretKey = "a-key-for-tests-that-is-long-enough";
const metricsToken = "metrics-token-of-the-operator";
const publicUrl = "https://parlando.example";

// Copying a standby needs a direct connection to PostgreSQL.
describe.runIf(databases.includes("postgres") && !behindPgBouncer)("with REPORT_DATABASE_URL", () => {
  let databaseUrl: string;
  let standby: Standby;
  let base: string;
  let cookie: string;
  const closers: (() => Promise<void>)[] = [];
  const folder = mkdtempSync(join(tmpdir(), "parlando-counted-"));
  const env = () => ({ DATABASE_URL: databaseUrl, REPORT_DATABASE_URL: standby.url, DATA_DIR: folder });
  beforeAll(async () => {
    const primary = await startPostgres();
    closers.push(primary.stop);
    databaseUrl = await primary.newDatabase("migrated");
    standby = await startStandby(databaseUrl);
    closers.push(standby.close);
    const api = await startApi(
      { ...env(), SECRET_KEYS: secretKey, PUBLIC_URL: publicUrl, METRICS_TOKEN: metricsToken, ROUNDS: "all" },
      "ignore",
    );
    closers.push(api.kill);
    ({ base } = api);
    cookie = await signIn();
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function signIn(): Promise<string> {
    const store = openPatiently(databaseUrl);
    const world = { ...createTestWorld(), now: Date.now };
    const { token } = await store.write(async (queries) => {
      const { id } = await addOperator(queries, world, { email: "ana@team.example", name: "Ana", role: "admin" }, null);
      return createOperatorLink(queries, world, [secretKey], { purpose: "invitation", operatorId: id });
    });
    await store.close();
    const headers = { "content-type": "application/json", origin: publicUrl, "sec-fetch-site": "same-origin" };
    const entered = await fetch(`${base}/studio/api/enterByLink`, { method: "POST", headers, body: JSON.stringify({ token }) });
    expect(entered.status).toBe(200);
    return entered.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
  }
  const ask = (call: string) => fetch(`${base}/studio/api/${call}`, { headers: { cookie, "sec-fetch-site": "same-origin" } });
  const funnel = async () => v.parse(studioCalls.funnelSteps.output, await (await ask("funnelSteps?version=76")).json());
  const today = async () => v.parse(studioCalls.today.output, await (await ask("today")).json());
  const operations = async () => {
    const { parts } = v.parse(studioCalls.operations.output, await (await ask("operations")).json());
    return parts.find(({ name }) => name === "Standby for counts");
  };
  const lag = async () => {
    const answer = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    return Number(/^parlando_standby_lag_seconds (\S+)$/m.exec(await answer.text())?.[1]);
  };
  let visitors = 0;
  /** A visitor sees the first question, and their events are accepted. */
  async function comes(): Promise<void> {
    const now = Date.now();
    const { device, events } = walker({ device: randomUUID(), startsAt: now, newId: randomUUID }).shown(2);
    const answer = await fetch(`${base}/api/send-event`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ events, device, sentAt: new Date(now).toISOString() }),
    });
    expect([answer.status, await answer.json()]).toEqual([202, { accepted: 1 }]);
    visitors += 1;
  }
  const command = async (script: string, ...args: readonly string[]) => {
    const program = spawn(process.execPath, [script, ...args], {
      env: { ...startedEnv, ...env() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said, , [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "exit")]);
    return { said, code };
  };
  const pause = () => standby.query("SELECT pg_wal_replay_pause()");
  const resume = () => standby.query("SELECT pg_wal_replay_resume()");
  const paused = async () => (await standby.query("SELECT pg_get_wal_replay_pause_state() AS state"))[0]?.["state"];

  const isCounted = async () => {
    await expect.poll(async () => (await funnel()).here.visitors).toBe(visitors);
  };
  beforeEach(async () => {
    await comes();
    await isCounted();
  });

  it("the studio counts up to what the standby has replayed, and says how far it lags", async () => {
    await pause();
    await expect.poll(paused).toBe("paused");
    const before = Date.now();
    await comes();
    const during = await funnel();
    expect(during.here.visitors).toBe(visitors - 1);
    expect(during.countedAt).toBeLessThan(Date.now());
    expect((await today()).countedAt).toBeLessThanOrEqual(during.countedAt);
    await expect.poll(lag).toBeGreaterThan(1);
    expect(await operations()).toMatchObject({ state: "works", says: expect.stringMatching(/^[1-9]\d* s behind$/) });
    const stays = (await funnel()).countedAt;
    expect([stays, stays <= before]).toEqual([during.countedAt, true]);
    const report = await command("scripts/funnel.ts", "report", "--out", folder);
    expect(report.said).toContain(`until ${new Date(stays).toISOString().slice(0, 16).replace("T", " ")} UTC`);
    expect(report.said).toContain(`Version 76: ${visitors - 1} visitors`);
    expect((await command("scripts/doctor.ts")).said).toMatch(/^ok +standby +A standby, [1-9]\d* s behind$/m);

    await resume();
    await isCounted();
    await expect.poll(async () => (await funnel()).countedAt).toBeGreaterThan(before);
    await expect.poll(lag).toBeLessThan(1);
  });

  it("a standby that has lost its primary is not taken for one that is up to date", async () => {
    const [row] = await standby.query("SELECT current_setting('primary_conninfo') AS at");
    await standby.query("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.query("SELECT pg_reload_conf()");
    await expect.poll(async () => standby.query("SELECT pid FROM pg_stat_wal_receiver")).toEqual([]);
    await comes();
    await expect.poll(lag).toBeGreaterThan(1);
    expect((await funnel()).here.visitors).toBe(visitors - 1);
    await standby.query(`ALTER SYSTEM SET primary_conninfo = '${String(row?.["at"])}'`);
    await standby.query("SELECT pg_reload_conf()");
    await isCounted();
  });

  it("a standby that is down makes counts answer 503, is reported, and does not affect visitors", async () => {
    await standby.kill();
    const refused = await ask("funnelSteps?version=76");
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ code: 1503 })]);
    expect(await lag()).toBe(-1);
    expect(await operations()).toMatchObject({ state: "fails", says: expect.stringContaining("does not answer") });
    expect((await command("scripts/doctor.ts")).said).toMatch(
      /^fault +standby +127\.0\.0\.1:\d+\/test_\d+: The database does not answer\.$/m,
    );
    await comes();
    expect([(await fetch(`${base}/readyz/calls`)).status, (await ask("versions")).status]).toEqual([200, 200]);
    await standby.start();
    await isCounted();
  });

  it("the doctor tells a standby from another database and from the primary itself", async () => {
    const doctor = async (REPORT_DATABASE_URL: string) => {
      const program = spawn(process.execPath, ["scripts/doctor.ts"], {
        env: { ...startedEnv, ...env(), REPORT_DATABASE_URL },
        stdio: ["ignore", "pipe", "ignore"],
      });
      return /^(\w+) +standby +(.*)$/m.exec(await text(program.stdout))?.slice(1);
    };
    expect(await doctor(databaseUrl)).toEqual(["warning", expect.stringContaining("It is no standby")]);
    const other = await startPostgres();
    expect(await doctor(await other.newDatabase("migrated"))).toEqual(["fault", "It is no copy of DATABASE_URL"]);
    await other.stop();
  });
});
