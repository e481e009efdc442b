/**
 * `npm run bench:soak`: lets visitors walk the funnel for half an hour and watches the memory of the process that serves them. `MINUTES` sets the
 * duration, `AT_ONCE` the visitors at once. Compares the median heap and resident memory of the last third with those of the middle third, because
 * the first third fills caches. Fails when either grew by more than a tenth, or when a call failed. `npm run build` must have run.
 */
import { createCrowd } from "./crowd.ts";
import { startBuiltSite } from "./runningSite.ts";
import { median, quantile } from "./statistics.ts";

const minutes = Number(process.env["MINUTES"] ?? 30);
const atOnce = Number(process.env["AT_ONCE"] ?? 8);
const mostGrowth = 1.1;
const samples = 90;
const metricsToken = "a-token-for-the-soak-only";

interface Memory {
  readonly heap: number;
  readonly resident: number;
}

const site = await startBuiltSite(23_560, { PROXY_HOPS: "1", METRICS_TOKEN: metricsToken });
const crowd = createCrowd([site.url]);
const seen: Memory[] = [];
let calls = 0;
let visitors = 0;
let failed = false;
try {
  for (let sample = 0; sample < samples; sample++) {
    const load = await crowd.walk(atOnce, (minutes * 60) / samples, sample);
    calls += load.ms.length + load.hashingMs.length;
    visitors += load.visitors;
    const broken = [...load.refused].filter(([what]) => /[45]\d\d$/.test(what) && !what.endsWith(" 401"));
    if (broken.length > 0) failed = true;
    const memory = await readMemory();
    seen.push(memory);
    if (sample % 9 === 8 || broken.length > 0)
      console.log(
        `${(((sample + 1) * minutes) / samples).toFixed(1)} min: heap ${inMegabytes(memory.heap)}, resident ${inMegabytes(memory.resident)}, ${visitors} visitors, ${calls} calls, p99 ${quantile(load.ms, 0.99).toFixed(0)} ms; refused: ${broken.map(([what, times]) => `${what} × ${times}`).join(", ") || "none"}`,
      );
  }
} finally {
  crowd.close();
  await site.stop();
}
const middle = usual(seen.slice(samples / 3, (2 * samples) / 3));
const last = usual(seen.slice((2 * samples) / 3));
for (const kind of ["heap", "resident"] as const) {
  const growth = last[kind] / middle[kind];
  console.log(
    `${kind}: ${inMegabytes(middle[kind])} in the middle third, ${inMegabytes(last[kind])} in the last: ${growth.toFixed(3)} times (at most ${mostGrowth})`,
  );
  failed ||= !(growth <= mostGrowth);
}
if (failed) process.exitCode = 1;

/** Bytes. The heap includes what the next collection frees, so single samples differ. */
async function readMemory(): Promise<Memory> {
  const text = await (await fetch(`${site.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return { heap: of("nodejs_heap_size_used_bytes"), resident: of("process_resident_memory_bytes") };
}

function usual(memories: readonly Memory[]): Memory {
  return { heap: median(memories.map(({ heap }) => heap)), resident: median(memories.map(({ resident }) => resident)) };
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
