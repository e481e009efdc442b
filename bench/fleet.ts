/**
 * `npm run bench:fleet`: measures the visitors per second that one, two and four processes on one PostgreSQL can serve, and where they saturate.
 * Visitors walk from the first page to the checkout with the real engine and the real calls, without pauses. `SECONDS` sets the duration of each
 * load. Processes, database and visitors share the machine, so compare only lines of one run. `npm run build` must have run.
 */
import { availableParallelism } from "node:os";
import { startPostgres } from "../test/postgres.ts";
import { createCrowd } from "./crowd.ts";
import { startBuiltSite } from "./runningSite.ts";
import { quantile } from "./statistics.ts";

const fleets = [1, 2, 4];
/** Numbers of concurrent visitors. */
const loads = [4, 16, 64];
const seconds = Number(process.env["SECONDS"] ?? 15);
const warmUpSeconds = 5;
const firstPort = 23_520;

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
    const crowd = createCrowd(sites.map(({ url }) => url));
    await crowd.walk(4, warmUpSeconds, round++);
    for (const atOnce of loads) {
      const { visitors, ms, hashingMs, refused } = await crowd.walk(atOnce, seconds, round++);
      const figures = [
        (visitors / seconds).toFixed(1),
        ((ms.length + hashingMs.length) / seconds).toFixed(0),
        quantile(ms, 0.5).toFixed(0),
        quantile(ms, 0.99).toFixed(0),
        quantile(hashingMs, 0.99).toFixed(0),
      ];
      console.log([size, atOnce, ...figures, [...refused].map(([what, times]) => `${what} × ${times}`).join(", ") || "none"].join("  "));
    }
    crowd.close();
    await Promise.all(sites.map((site) => site.stop()));
  }
} finally {
  await postgres.stop();
}
