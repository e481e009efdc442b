/**
 * `npm run test:drills`: failure drills. Parts of an installation fail under load. No acknowledged write may be lost, writes must work again within
 * 30 seconds, and pages must be served throughout. `ROUNDS` repeats each drill.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../freePort.ts";
import { type Installation, postgresBin, query, startInstallation, ttlSeconds } from "./installation.ts";
import { type History, startLoad } from "./load.ts";
import { asPostgres, killAll, statusOf, until } from "./machine.ts";

const rounds = Number(process.env["ROUNDS"] ?? 1);
const table = "test-results/drills.md";

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation().catch(async (error: unknown) => {
    await killAll();
    throw error;
  });
  mkdirSync("test-results", { recursive: true });
  appendFileSync(
    table,
    "| drill | acknowledged | lost | longest without a write, s | failed events, sign-ups, pages | pages |\n| --- | --- | --- | --- | --- | --- |\n",
  );
});
afterAll(async () => {
  await installation.stop();
});

/** Starts the load, causes the fault, waits for recovery, and reports the effects on visitors. */
async function drill(name: string, fault: (installation: Installation) => Promise<void>, { mayLose = false } = {}): Promise<History> {
  await installation.whole();
  const load = startLoad(installation.siteUrl, installation.databaseUrl);
  await sleep(5_000);
  await fault(installation);
  await until("writes", async () => (await statusOf(`${installation.siteUrl}/readyz/calls`)) === 200);
  await sleep(5_000);
  await installation.whole();
  const history = await load.stop();
  const { acknowledged, lost, writesAwaySeconds, failed, pages, why } = history;
  const row = `| ${name} | ${acknowledged} | ${lost.length} | ${writesAwaySeconds.toFixed(1)} | ${failed.event}, ${failed["sign-up"]}, ${failed.page} | ${pages} |\n`;
  appendFileSync(table, row);
  console.log(`${row}${why}`);
  expect(acknowledged).toBeGreaterThan(100);
  if (!mayLose) expect(lost).toEqual([]);
  expect(failed.page).toBe(0);
  return history;
}

const eachRound = Array.from({ length: rounds }, (_, round) => `round ${round + 1}`);
const away = 30;

it.each(eachRound)("the primary's machine fails (%s)", async () => {
  const { writesAwaySeconds } = await drill("the primary's machine ends", async ({ primary, nodes }) => {
    const old = await primary();
    await old.program.kill();
    await until("another primary", async () => (await Promise.all(nodes.map((node) => node !== old && node.isPrimary()))).some(Boolean));
    old.program.start();
  });
  expect(writesAwaySeconds).toBeLessThanOrEqual(away);
});

it.each(eachRound)("the primary's machine freezes and resumes (%s)", async () => {
  const { writesAwaySeconds } = await drill("the primary's machine freezes", async ({ primary, nodes }) => {
    const old = await primary();
    old.program.pause();
    await until("another primary", async () => (await Promise.all(nodes.map((node) => node !== old && node.isPrimary()))).some(Boolean));
    await sleep(5_000);
    old.program.resume();
  });
  expect(writesAwaySeconds).toBeLessThanOrEqual(away);
});

it.each(eachRound)("both standbys fail, and the primary goes on alone (%s)", async () => {
  const { writesAwaySeconds } = await drill("both standbys end", async ({ primary, nodes }) => {
    const first = await primary();
    const standbys = nodes.filter((node) => node !== first);
    for (const { program } of standbys) await program.kill();
    await sleep((ttlSeconds + 10) * 1_000);
    for (const { program } of standbys) program.start();
  });
  expect(writesAwaySeconds).toBeLessThanOrEqual(away);
});

it.each(eachRound)("one of three etcd nodes fails (%s)", async () => {
  const { failed } = await drill("one etcd ends", async ({ etcd }) => {
    await etcd[0]?.kill();
    await sleep(15_000);
    etcd[0]?.start();
  });
  expect(failed).toEqual({ event: 0, "sign-up": 0, page: 0 });
});

it.each(eachRound)("etcd loses its majority, and the primary stays (%s)", async () => {
  const { failed } = await drill("etcd loses its majority", async ({ etcd }) => {
    const frozen = etcd.slice(1);
    for (const each of frozen) each.pause();
    await sleep((ttlSeconds + 10) * 1_000);
    for (const each of frozen) each.resume();
  });
  expect(failed).toEqual({ event: 0, "sign-up": 0, page: 0 });
});

it.each(eachRound)("Redis's primary fails, then all of Redis (%s)", async () => {
  const { writesAwaySeconds } = await drill("Redis ends", async ({ redis }) => {
    await redis[0]?.kill();
    await sleep(8_000);
    for (const each of redis.slice(1)) await each.kill();
    await sleep(8_000);
    for (const each of redis) each.start();
  });
  expect(writesAwaySeconds).toBeLessThanOrEqual(5);
});

it.each(eachRound)("one server process is killed and restarted (%s)", async () => {
  const { failed } = await drill("one process is killed", async ({ processes: [first] }) => {
    await first?.program.kill();
    await sleep(5_000);
    first?.program.start();
    await until("it is ready", async () => (await statusOf(`${first?.url}/readyz/calls`)) === 200);
  });
  // Only requests in flight may fail, and those sent before the load balancer noticed.
  expect(failed.event + failed["sign-up"]).toBeLessThanOrEqual(20);
});

it.each(eachRound)("one server process freezes for ten seconds (%s)", async () => {
  await drill("one process freezes", async ({ processes: [first] }) => {
    first?.program.pause();
    await sleep(10_000);
    first?.program.resume();
  });
});

it.each(eachRound)("the primary's disk is full (%s)", async () => {
  await drill("the primary's disk is full", async ({ primary }) => {
    const { disk } = await primary();
    // Without its own file system the drill would fill the machine's disk.
    if (disk === null) return;
    const filler = join(disk, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=1M"]);
    await sleep(20_000);
    rmSync(filler);
  });
});

it.each(eachRound)("control: without synchronous mode a failover loses writes, and the history shows them (%s)", async () => {
  const { lost } = await drill(
    "control: not synchronous, the standbys behind",
    async ({ primary, nodes }) => {
      const old = await primary();
      const standbys = nodes.filter((node) => node !== old);
      await old.configure({ synchronous_mode: false });
      await until(
        "no synchronous standby",
        async () => (await query(old, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0,
      );
      for (const { program } of standbys) await program.kill();
      await sleep(3_000);
      await old.program.kill();
      for (const { program } of standbys) program.start();
      await until("another primary", async () => (await Promise.all(standbys.map((node) => node.isPrimary()))).some(Boolean));
      await standbys[0]?.configure({ synchronous_mode: true });
      old.program.start();
    },
    { mayLose: true },
  );
  expect(lost.length).toBeGreaterThan(0);
});

it.each(eachRound)("point-in-time recovery from the base backup and the archive (%s)", async (round) => {
  await installation.whole();
  const { folder, primary, siteUrl, databaseUrl } = installation;
  const node = await primary();
  const copy = join(folder, "restored", round.replace(" ", ""));
  asPostgres(join(postgresBin, "pg_basebackup"), [
    "-h",
    "127.0.0.1",
    "-p",
    String(node.port),
    "-U",
    "replicator",
    "-D",
    copy,
    "-X",
    "none",
    "-c",
    "fast",
  ]);
  const before = startLoad(siteUrl, databaseUrl);
  await sleep(5_000);
  const { acknowledgedIds } = await before.stop();
  const [{ now } = { now: "" }] = await query<{ now: string }>(node, "SELECT clock_timestamp()::text AS now");
  const after = startLoad(siteUrl, databaseUrl);
  await sleep(5_000);
  const { acknowledgedIds: late } = await after.stop();
  const [{ name } = { name: "" }] = await query<{ name: string }>(node, "SELECT pg_walfile_name(pg_switch_wal()) AS name");
  await until("the archive has it", async () => existsSync(join(folder, "archive", name)));

  const port = await freePort();
  appendFileSync(
    join(copy, "postgresql.conf"),
    `\nport = ${port}\narchive_mode = off\nrestore_command = 'cp ${folder}/archive/%f %p'\nrecovery_target_time = '${now}'\nrecovery_target_action = 'promote'\n`,
  );
  asPostgres("touch", [join(copy, "recovery.signal")]);
  asPostgres(join(postgresBin, "pg_ctl"), ["-D", copy, "-w", "-o", `-p ${port} -k ${folder}`, "-l", join(copy, "log"), "start"]);
  try {
    await until("the restored database", async () => (await query({ port }, "SELECT pg_is_in_recovery() AS is"))[0]?.["is"] === false);
    const kept = new Set(
      (await query<{ id: string }>({ port }, "SELECT id FROM events UNION ALL SELECT uuid AS id FROM accounts", "parlando")).map(
        ({ id }) => id,
      ),
    );
    expect(acknowledgedIds.filter((id) => !kept.has(id))).toEqual([]);
    expect(late.filter((id) => kept.has(id))).toEqual([]);
    expect([acknowledgedIds.length, late.length].every((count) => count > 100)).toBe(true);
  } finally {
    asPostgres(join(postgresBin, "pg_ctl"), ["-D", copy, "-m", "immediate", "stop"]);
  }
});

it.each(eachRound)("clocks are five minutes fast and slow (%s)", async () => {
  const restart = async ({ processes }: Installation, clocks: readonly number[]) => {
    for (const [n, { program, url }] of processes.entries()) {
      await program.end();
      const wrong = clocks[n] ?? 0;
      program.start(wrong === 0 ? {} : { NODE_OPTIONS: `--import=${resolve("test/movedClock.ts")}`, CLOCK_WRONG_MS: String(wrong) });
      await until("it is ready", async () => (await statusOf(`${url}/readyz/calls`)) === 200);
      await sleep(1_500);
    }
  };
  const { failed } = await drill("clocks ± 5 minutes", async (all) => {
    await restart(all, [300_000, -300_000]);
    await sleep(10_000);
    await restart(all, []);
  });
  expect(failed).toEqual({ event: 0, "sign-up": 0, page: 0 });
});

it.each(eachRound)("a rolling deploy fails no request (%s)", async () => {
  const { failed } = await drill("a rolling deploy", async ({ processes }) => {
    for (const { program, url } of processes) {
      expect(await program.end()).toBe(0);
      program.start();
      await until("it is ready", async () => (await statusOf(`${url}/readyz/calls`)) === 200);
      await sleep(1_500);
    }
  });
  expect(failed).toEqual({ event: 0, "sign-up": 0, page: 0 });
});
