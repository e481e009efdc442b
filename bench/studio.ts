/**
 * `npm run bench:studio`: measures the studio's counts over 90 days (`DAYS`) of invented journeys (`JOURNEYS`, default 100,000). They run on a worker thread, as
 * in production. It prints the time of each count, and how long the serving process was blocked meanwhile. Ten million journeys need 15 GB in the temporary
 * directory, which are freed at the end. A million journeys in nine days are as dense: they find what blocks in a tenth of the time.
 */
import { runCount } from "#server/studio/funnel/counting.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { screensOf } from "#server/studio/funnel/steps.ts";
import { migrate } from "#server/store/migrate.ts";
import { idleAfter } from "#server/events/tally.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { createKeptDays } from "#server/studio/funnel/keptDays.ts";
import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Invented, versions } from "./inventedJourneys.ts";

const journeys = Number(process.env["JOURNEYS"] ?? 100_000);
const run = promisify(execFile);
const limits = { countMs: 2_000, heldUpMs: 50 };
const days = Number(process.env["DAYS"] ?? 90);
const dayMs = 86_400_000;
/** The worst time of day: just before an hour closes, so that the most journeys must be read. */
const now = Date.UTC(2026, 10, 20, 15, 29);
const firstDay = Date.UTC(2026, 10, 20) - (days - 1) * dayMs;

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
/** CPU time of all threads, ms. Other load on the machine does not change it. */
const cpuMs = (since: NodeJS.CpuUsage) => Object.values(process.cpuUsage(since)).reduce((sum, micros) => sum + micros, 0) / 1000;

let failed = false;
function check(name: string, ms: number, most: number, more = ""): void {
  console.log(`${ms <= most ? "ok  " : "FAIL"} ${name}: ${Math.round(ms)} ms${more}`);
  failed ||= ms > most;
}

async function measured(name: string, count: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await count();
  check(name, performance.now() - began, limits.countMs, `, ${Math.round(cpuMs(cpu))} ms of CPU`);
}

/**
 * Watches how long this thread computes without a pause. Unlike the delay of the event loop, other load on the machine does not change it; unlike
 * that delay, it misses waits for the disk.
 */
function watchBursts(): { readonly longest: () => number; readonly stop: () => void } {
  const cpuOfThread = () => Object.values(process.threadCpuUsage()).reduce((sum, micros) => sum + micros, 0) / 1000;
  let [before, longest] = [cpuOfThread(), 0];
  const timer = setInterval(() => {
    const now = cpuOfThread();
    longest = Math.max(longest, now - before);
    before = now;
  }, 2);
  return { longest: () => longest, stop: () => clearInterval(timer) };
}

/** Runs the report command as a separate process. */
async function report(): Promise<void> {
  const command = join(import.meta.dirname, "..", "scripts", "funnel.ts");
  await run(process.execPath, [command, "report"], { cwd: folder, env: { ...process.env, DATA_DIR: folder } });
}

/** Creates the database with the journeys. @returns the duration, ms */
async function made(file: string): Promise<number> {
  const store = openSqlite(file);
  await migrate(store, now);
  await store.close();
  const began = performance.now();
  const workerData: Invented = { file, count: journeys, from: firstDay, to: now - idleAfter };
  await once(new Worker(new URL("inventedJourneys.ts", import.meta.url), { workerData }), "exit");
  return performance.now() - began;
}

const folder = mkdtempSync(join(tmpdir(), "parlando-studio-"));
const remove = () => rmSync(folder, { recursive: true, force: true });
process.on("exit", remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const file = join(folder, "parlando.sqlite");
console.log(`${journeys} journeys of ${days} days, made in ${seconds(await made(file))}`);
const store = openSqlite(file);
try {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const bursts = watchBursts();
  const keeping = performance.now();
  const cpu = process.cpuUsage();
  const world = { now: () => now, uuid: randomUUID, randomBytes, wait: sleep };
  const keptDays = createKeptDays({ store, questionnaires: shippedQuestionnaires, world, log: console });
  // The first run has a time limit; the second one finishes.
  for (const _ of ["first", "second"]) {
    keptDays.wake();
    await keptDays.running();
  }
  console.log(`Whole days and closed hours counted and stored in ${seconds(performance.now() - keeping)}, ${seconds(cpuMs(cpu))} of CPU`);
  const screens = Object.fromEntries(versions.map(([version]) => [version, screensOf(shippedQuestionnaires, version)]));
  const month = { from: now - 30 * dayMs - ((now - 30 * dayMs) % dayMs) };
  await measured("funnel, all", () => runCount(store, "steps", { filter: { version: "83" }, now }));
  await measured("funnel, 30 days", () => runCount(store, "steps", { filter: { version: "83", ...month }, now }));
  await measured("funnel, Germans on Android", () =>
    runCount(store, "steps", { filter: { version: "83", locale: ["de-DE"], platform: ["android"] }, now }),
  );
  await measured("one screen", () => runCount(store, "screen", { filter: { version: "83" }, questionId: 20, now }));
  await measured("visits that ended on a screen", () => runCount(store, "visits", { filter: { version: "83" }, questionId: 20, now }));
  await measured("filters", () => runCount(store, "filters", { version: undefined }));
  await measured("today", () => runCount(store, "today", { now, screens, currency: "EUR" }));
  delay.disable();
  bursts.stop();
  check(
    "visitors' process held up at most",
    delay.max / 1e6,
    limits.heldUpMs,
    `, computed ${Math.round(bursts.longest())} ms without a pause`,
  );
  // Measured last: starting a process blocks the one that starts it.
  await measured("report of all versions, the command", report);
} finally {
  await store.close();
}
process.exitCode = failed ? 1 : 0;
