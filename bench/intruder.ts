/**
 * `npm run bench:intruder`: measures how much hostile traffic slows honest visitors. They are alone first, then beside hostile requests of every
 * kind from hundreds of addresses. Fails when an honest p99 more than doubles or an honest call is refused. Other load on the machine can only
 * raise the figures, so one of three rounds must pass. `npm run build` must have run.
 */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { attacks, honestVisit, newOwner, type Send, sender } from "../test/intruder.ts";
import { startBuiltSite } from "./runningSite.ts";
import { quantile } from "./statistics.ts";

const phaseMs = 20_000;
const hostilePerSecond = 100;
const betweenVisitsMs = 200;
const mostTimes = 2;
const mostRounds = 3;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const p99 = (values: readonly number[]) => quantile(values, 0.99);
/** Calls that hash a password, which is slow on purpose and waits for a thread. */
const hashes: ReadonlySet<string> = new Set(["signup", "login"]);

interface Honest {
  readonly ms: number[];
  readonly hashMs: number[];
  readonly refused: string[];
}
async function visitors(send: Send, until: number): Promise<Honest> {
  const seen: Honest = { ms: [], hashMs: [], refused: [] };
  while (performance.now() < until) {
    for (const [step, { ms, status }] of await honestVisit(send)) {
      (hashes.has(step) ? seen.hashMs : seen.ms).push(ms);
      if (![200, 202].includes(status)) seen.refused.push(`${step} ${status}`);
    }
    await sleep(betweenVisitsMs);
  }
  return seen;
}

/** Runs on a thread of its own: on the visitors' thread, making hostile bodies would delay the reading of honest answers. */
async function intrude(url: string): Promise<number> {
  const { send, close } = sender(url);
  const until = performance.now() + phaseMs;
  const owner = await newOwner(send);
  const all = Object.values(attacks);
  const sent: Promise<unknown>[] = [];
  for (let n = 0; performance.now() < until; n++) {
    const attack = all[n % all.length];
    if (attack) sent.push(attack(send, owner));
    await sleep(1_000 / hostilePerSecond);
  }
  await Promise.all(sent);
  close();
  return sent.length;
}
async function intruder(url: string): Promise<number> {
  const [attempts] = await once(new Worker(new URL(import.meta.url), { workerData: url }), "message");
  return attempts;
}

async function holds(url: string): Promise<boolean> {
  const honest = sender(url);
  // Warm-up, not measured.
  await visitors(honest.send, performance.now() + 3_000);
  const quiet = await visitors(honest.send, performance.now() + phaseMs);
  const [beside, attempts] = await Promise.all([visitors(honest.send, performance.now() + phaseMs), intruder(url)]);
  honest.close();
  const times = p99(beside.ms) / p99(quiet.ms);
  console.log(
    `honest p99 ${p99(quiet.ms).toFixed(1)} ms alone (${quiet.ms.length}), ${p99(beside.ms).toFixed(1)} ms (${beside.ms.length}) beside ` +
      `${attempts} hostile requests: ${times.toFixed(2)} times (at most ${mostTimes}); with a password ${p99(quiet.hashMs).toFixed(0)} and ${p99(beside.hashMs).toFixed(0)} ms; ` +
      `refused: ${[...quiet.refused, ...beside.refused].join(", ") || "none"}`,
  );
  return times <= mostTimes && quiet.refused.length + beside.refused.length === 0;
}

if (isMainThread) {
  let held = false;
  for (let round = 0; round < mostRounds && !held; round++) {
    const site = await startBuiltSite(23_461, { PROXY_HOPS: "1" });
    held = await holds(site.url);
    await site.stop();
  }
  if (!held) process.exitCode = 1;
} else parentPort?.postMessage(await intrude(String(workerData)), []);
