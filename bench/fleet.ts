/**
 * `npm run bench:fleet`: measures the visitors per second that one, two and four processes on one PostgreSQL can serve, and where they saturate.
 * Visitors walk from the first page to the checkout with the real engine and the real calls, without pauses. Each call goes to the next process,
 * as with a load balancer without affinity. `SECONDS` sets the duration of each load. Processes, database and visitors share the machine, so
 * compare only lines of one run. `npm run build` must have run.
 */
import { buildPath } from "#core/routes.ts";
import { Agent, request } from "node:http";
import { availableParallelism } from "node:os";
import { createChance } from "../scripts/demo/chance.ts";
import type { Request, Send } from "../scripts/demo/client.ts";
import { visitsOf } from "../scripts/demo/visits.ts";
import { walk } from "../scripts/demo/walk.ts";
import { startPostgres } from "../test/postgres.ts";
import { startBuiltSite } from "./runningSite.ts";

const fleets = [1, 2, 4];
/** Numbers of concurrent visitors. */
const loads = [4, 16, 64];
const seconds = Number(process.env["SECONDS"] ?? 15);
const warmUpSeconds = 5;
const firstPort = 23_520;
/** Calls that hash a password, which is slow on purpose. */
const hashing: ReadonlySet<string> = new Set(["/api/signup", "/api/login"]);

interface Load {
  visitors: number;
  readonly ms: number[];
  readonly hashingMs: number[];
  /** Answers other than 2xx, by path and status. */
  readonly refused: Map<string, number>;
}

/** Sends each request to the next process and measures its time. */
function balancer(urls: readonly string[]): { readonly send: Send; readonly measure: (load: Load) => void; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let turn = 0;
  let measured: Load | null = null;
  const send = ({ method, url, remoteAddress, headers, payload }: Request) => {
    const target = new URL(url, urls[turn++ % urls.length]);
    const began = performance.now();
    return new Promise<{ statusCode: number; body: string }>((resolve, reject) => {
      const sent = request(target, { agent, method, headers: { ...headers, "x-forwarded-for": remoteAddress } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const statusCode = response.statusCode ?? 0;
          const path = target.pathname;
          if (measured !== null) {
            (hashing.has(path) ? measured.hashingMs : measured.ms).push(performance.now() - began);
            if (statusCode >= 300) measured.refused.set(`${path} ${statusCode}`, (measured.refused.get(`${path} ${statusCode}`) ?? 0) + 1);
          }
          resolve({ statusCode, body: Buffer.concat(chunks).toString() });
        });
      });
      sent.on("error", reject);
      sent.end(payload);
    });
  };
  return { send, measure: (load) => (measured = load), close: () => agent.destroy() };
}

/** Walks one visitor after the other, without pauses, until the time is over. */
async function visitors(send: Send, at: number, seed: number, load: Load): Promise<void> {
  for (let nth = 0; performance.now() < at; nth++) {
    const [visit] = visitsOf(1, 1, Date.now(), createChance(seed * 100_003 + nth));
    if (visit === undefined) continue;
    // Each visitor has an own address, because rate limits apply per network.
    const network = `10.${seed & 255}.${(nth >> 8) & 255}.${nth & 255}`;
    const page = buildPath("questionnaire/question", visit.locale, { version: "83", question: "2" });
    await send({ method: "GET", url: page, remoteAddress: network, headers: {} });
    const steps = walk({ ...visit, network, isBot: false }, { build: "", send, now: Date.now, pay: async () => false });
    try {
      while (!(await steps.next()).done && performance.now() < at);
    } catch (error) {
      // Refusals are counted by `balancer`.
      if (!/: \d{3} /.test(String(error))) throw error;
    }
    load.visitors += 1;
  }
}

const quantile = (values: readonly number[], part: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN).toFixed(0);

async function under(send: Send, measure: (load: Load) => void, atOnce: number, forSeconds: number, round: number): Promise<Load> {
  const load: Load = { visitors: 0, ms: [], hashingMs: [], refused: new Map() };
  measure(load);
  const end = performance.now() + forSeconds * 1_000;
  await Promise.all(Array.from({ length: atOnce }, (_, index) => visitors(send, end, round * 1_000 + index, load)));
  return load;
}

console.log(`${availableParallelism()} cores for processes, database and visitors; ${seconds} s each`);
console.log("processes  at once  visitors/s  calls/s  p50 ms  p99 ms  with a password p99 ms  refused");
const postgres = await startPostgres();
let round = 0;
try {
  for (const size of fleets) {
    const database = await postgres.newDatabase("empty");
    const settings = { DATABASE_URL: database, PROXY_HOPS: "1", SECRET_KEYS: "a-key-for-benchmarks-that-is-long-enough" };
    const sites = [];
    // Started one after the other, because the first one migrates the database.
    for (let n = 0; n < size; n++) sites.push(await startBuiltSite(firstPort + n, settings));
    const { send, measure, close } = balancer(sites.map(({ url }) => url));
    await under(send, measure, 4, warmUpSeconds, round++);
    for (const atOnce of loads) {
      const { visitors: came, ms, hashingMs, refused } = await under(send, measure, atOnce, seconds, round++);
      const figures = [
        (came / seconds).toFixed(1),
        ((ms.length + hashingMs.length) / seconds).toFixed(0),
        quantile(ms, 0.5),
        quantile(ms, 0.99),
        quantile(hashingMs, 0.99),
      ];
      console.log([size, atOnce, ...figures, [...refused].map(([what, times]) => `${what} × ${times}`).join(", ") || "none"].join("  "));
    }
    close();
    await Promise.all(sites.map((site) => site.stop()));
  }
} finally {
  await postgres.stop();
}
