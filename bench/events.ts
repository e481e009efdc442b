/**
 * `npm run bench:events` does three things:
 * 1. It sends 1,000 events a second in batches of 50 for a minute.
 * 2. It kills the server 50 times under that load.
 * 3. It runs the report over 100 thousand and a million events on SQLite and PostgreSQL.
 *
 * `--quick` does a tenth of each. The server is a separate process (test/serveApi.ts) on SQLite.
 */
import { versions } from "#content/questionnaires/index.ts";
import type { SentEvent } from "#core/events.ts";
import { inDatabase } from "#server/events/journeys.ts";
import { versionReports } from "#server/events/report.ts";
import { keepEvents } from "#server/events/keep.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { Store } from "#server/store/store.ts";
import { walker } from "#test/traffic.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { quantile } from "./statistics.ts";

const quick = process.argv.includes("--quick");
const seconds = quick ? 6 : 60;
const kills = quick ? 5 : 50;
const sizes = quick ? [10_000, 100_000] : [100_000, 1_000_000];
const batchesPerSecond = 20;
const batchSize = 50;
const warmUpBatches = 100;
const limits = { p99Milliseconds: 100, reportMilliseconds: 2_000, growth: 1.15 };

let failed = false;
function check(name: string, value: string, good: boolean): void {
  console.log(`${good ? "ok  " : "FAIL"} ${name}: ${value}`);
  failed ||= !good;
}

const folder = mkdtempSync(join(tmpdir(), "parlando-events-"));
try {
  await load();
  await killed();
  for (const kind of ["sqlite", "postgres"] as const) await reports(kind);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

async function serve(dataDir: string): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const server = spawn(process.execPath, ["test/serveApi.ts"], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: "0",
      NODE_ENV: "test",
      LIMITS: JSON.stringify(
        Object.fromEntries(
          ["events.network", "event-kilobytes.network", "bodies.network"].map((name) => [name, { points: 1e9, seconds: 60 }]),
        ),
      ),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout ?? server, "data");
  return { server, url: `${String(line).trim()}/api/send-event` };
}

/** The events of one visit: 25 questions, shown and answered. */
function visit(startsAt: number, version = "76"): { readonly device: string; readonly events: readonly SentEvent[] } {
  const walk = walker({ device: crypto.randomUUID(), uuid: crypto.randomUUID(), version, startsAt, newId: () => crypto.randomUUID() });
  for (let question = 2; walk.events.length < batchSize; question += 1) walk.shown(question).answers(question);
  return walk;
}

/** Sends a batch. Resolves with the response time in ms, or null without a response. */
async function send(url: string, { device, events }: ReturnType<typeof visit>): Promise<number | null> {
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-device-id": device },
      body: JSON.stringify({ events, device, sentAt: new Date().toISOString() }),
    });
    await response.text();
    return response.ok ? performance.now() - started : null;
  } catch {
    return null;
  }
}

function stored(dataDir: string): { readonly rows: number; readonly ids: ReadonlySet<unknown>; readonly sound: boolean } {
  const database = new DatabaseSync(join(dataDir, "parlando.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT id FROM events").all();
  const sound = database.prepare("PRAGMA integrity_check").get()?.["integrity_check"] === "ok";
  database.close();
  return { rows: rows.length, ids: new Set(rows.map((row) => row["id"])), sound };
}

async function load(): Promise<void> {
  const dataDir = join(folder, "load");
  const { server, url } = await serve(dataDir);
  // Warm-up: a fresh process still compiles its code.
  for (let n = 0; n < warmUpBatches; n += 1) await send(url, visit(Date.now()));
  const before = stored(dataDir).rows;
  const times: number[] = [];
  const sent: string[] = [];
  let unanswered = 0;
  const work: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < seconds * batchesPerSecond; n += 1) {
    // Open loop: batches are sent on schedule, however slowly the server answers.
    const due = started + (n * 1000) / batchesPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const batch = visit(Date.now());
    sent.push(...batch.events.map(({ id }) => id));
    work.push(
      send(url, batch).then((time) => {
        if (time === null) unanswered += 1;
        else times.push(time);
      }),
    );
  }
  await Promise.all(work);
  server.kill("SIGTERM");
  await once(server, "exit");
  const { rows: all, ids } = stored(dataDir);
  const rows = all - before;
  const p99 = quantile(times, 0.99);
  check(`${batchesPerSecond * batchSize} events/s for ${seconds} s, all answered`, `${unanswered} not`, unanswered === 0);
  check(
    "ids sent = ids stored, none twice",
    `${sent.length} sent, ${rows} stored`,
    rows === sent.length && sent.every((id) => ids.has(id)),
  );
  check(`p99 of an answer (at most ${limits.p99Milliseconds} ms)`, `${p99.toFixed(1)} ms`, p99 <= limits.p99Milliseconds);
}

async function killed(): Promise<void> {
  const dataDir = join(folder, "kills");
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const { server, url } = await serve(dataDir);
    const end = once(server, "exit");
    const stopAfter = 3 + Math.floor(Math.random() * 40);
    let answered = 0;
    const device = async () => {
      for (;;) {
        const batch = visit(Date.now());
        if ((await send(url, batch)) === null) return;
        acknowledged.push(...batch.events.map(({ id }) => id));
        answered += 1;
        if (answered === stopAfter) server.kill("SIGKILL");
      }
    };
    await Promise.all([device(), device(), device(), device()]);
    await end;
  }
  const { ids, rows, sound } = stored(dataDir);
  const lost = acknowledged.filter((id) => !ids.has(id)).length;
  check(
    `killed ${kills} times in the middle`,
    `${acknowledged.length} acknowledged, ${lost} lost, ${rows} stored, database ${sound ? "sound" : "broken"}`,
    lost === 0 && sound && rows === ids.size,
  );
}

/** Fills a store and measures the report at each size. */
async function reports(kind: "sqlite" | "postgres"): Promise<void> {
  const server = kind === "postgres" ? spawn(process.execPath, ["test/postgresServer.ts"], { stdio: ["pipe", "pipe", "inherit"] }) : null;
  const store: Store =
    server === null
      ? openSqlite(join(folder, "report.sqlite"))
      : openPostgres(`${String((await once(server.stdout, "data"))[0]).trim()}postgres`, (error) => console.warn(error.message));
  try {
    await migrate(store, Date.now());
    const times: number[] = [];
    let count = 0;
    for (const size of sizes) {
      for (; count < size; count += batchSize * 20) {
        const receivedAt = Date.now();
        await store.write(async (queries) => {
          for (let n = 0; n < 20; n += 1) {
            const { device, events } = visit(receivedAt - 60 * 60 * 1000, ["76", "78", "83"][(count + n) % 3]);
            await keepEvents(queries, { events, versions, device, sentAt: receivedAt, accountUuid: null, country: "MX", receivedAt });
          }
        });
      }
      const runs: number[] = [];
      for (let run = 0; run < 5; run += 1) {
        const started = performance.now();
        const made = await versionReports(inDatabase(store.read), { now: Date.now() });
        runs.push(performance.now() - started);
        for (const { steps } of made)
          for (const { entered, wentOn, left, stillThere } of steps)
            if (entered !== wentOn + left + stillThere) throw new Error("The report does not add up");
      }
      times.push(runs.toSorted((a, b) => a - b)[2] ?? Number.NaN);
    }
    const [small = Number.NaN, large = Number.NaN] = times;
    const [less = 1, more = 1] = sizes;
    check(
      `${kind}: report over ${more.toLocaleString("en")} events (at most ${limits.reportMilliseconds} ms)`,
      `${large.toFixed(0)} ms`,
      large <= limits.reportMilliseconds,
    );
    const growth = large / small / (more / less);
    check(
      `${kind}: not slower than linear from ${less.toLocaleString("en")} (${small.toFixed(0)} ms)`,
      `${growth.toFixed(2)} of linear`,
      growth <= limits.growth,
    );
  } finally {
    await store.close();
    if (server !== null) {
      server.stdin.end();
      await once(server, "exit");
    }
  }
}
