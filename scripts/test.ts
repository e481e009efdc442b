/** `npm test`: runs checks, unit tests, conformance tests and browser tests. Then checks that each statement of the specification has a passed test. The last line has the totals. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ensureTestChromium } from "./chromium.ts";
import { ensureClickHouseEngine } from "./clickhouseEngine.ts";
import { ensureOtherBrowsers } from "./otherBrowsers.ts";
import { run } from "./run.ts";
import { isBuilt, markBuilt } from "./stamp.ts";
import { makeTestFolder } from "./testFolder.ts";
import { journeyTests, unitTests } from "./testReports.ts";

const vitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numFailedTestSuites: v.number(),
  success: v.boolean(),
});
const playwrightReport = v.object({ stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }) });

let passed = 0;
let failed = 0;
let countedAt = performance.now();
function count(name: string, good: number, bad: number): void {
  passed += good;
  failed += bad;
  const seconds = Math.round((performance.now() - countedAt) / 1_000);
  countedAt = performance.now();
  console.log(`${name}: ${good} passed, ${bad} failed, after ${seconds} s`);
}
/** Reads a runner's report. A missing one (the runner crashed) counts as one failure. */
function report<T>(file: string, schema: v.GenericSchema<unknown, T>): T | null {
  try {
    return v.parse(schema, JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(`No report in ${file}: ${String(error)}`);
    return null;
  }
}

const long = process.argv.includes("--long");
// Reports of an earlier run must not count.
rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
const chromium = await ensureTestChromium();
const folder = makeTestFolder();
// A shared compile cache speeds up the processes that tests start.
const env = { CHROMIUM: chromium, TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled"), ...(long ? { LONG: "1" } : {}) };
const missingBrowsers = await ensureOtherBrowsers();
const missingEngine = await ensureClickHouseEngine({ mayInstall: long });

const checks = await run(process.execPath, ["scripts/check.ts"], { show: true });
count("checks", checks.code === 0 ? 1 : 0, checks.code === 0 ? 0 : 1);

await run(
  "vitest",
  [
    "run",
    "--reporter=default",
    "--reporter=json",
    "--outputFile=test-results/unit.json",
    // Adds each test's line number to the report. All cases of an `it.each` have the same line, so the report can join them.
    "--includeTaskLocation",
    ...(long ? ["--config", "vitest.long.config.ts"] : []),
  ],
  { show: true, env },
);
const unit = report("test-results/unit.json", vitestReport);
count(
  "unit and conformance",
  unit?.numPassedTests ?? 0,
  unit === null ? 1 : unit.numFailedTests + (unit.success || unit.numFailedTests > 0 ? 0 : 1),
);

if (!isBuilt()) {
  const built = await run(process.execPath, ["scripts/build.ts"], { show: true });
  if (built.code === 0) markBuilt();
  else count("build", 0, 1);
}
// A sample of the mutants takes one core and seconds: it fills what the journeys leave. All of them is for the long run.
const sampled = long ? null : run(process.execPath, ["scripts/mutation.ts", "--sample"]);
await run("playwright", ["test"], { show: true, env });
const journeys = report("test-results/journeys.json", playwrightReport);
count("journeys", journeys?.stats.expected ?? 0, journeys === null ? 1 : journeys.stats.unexpected + journeys.stats.flaky);
for (const { name, why, failed } of missingBrowsers) {
  console.log(`Skipped: browser tests in ${name}. ${why}`);
  if (failed) count(name, 0, 1);
}

if (missingEngine !== null) {
  console.log(`Skipped: tests with ClickHouse. ${missingEngine.why}`);
  if (missingEngine.failed) count("ClickHouse", 0, 1);
}

if (long) {
  const behind = await run(process.execPath, ["scripts/testPgbouncer.ts"], { show: true, env });
  count("behind PgBouncer", behind.code === 0 ? 1 : 0, behind.code === 0 ? 0 : 1);
}

const mutants = await (sampled ?? run(process.execPath, ["scripts/mutation.ts"], { show: true }));
if (sampled !== null) console.log(mutants.output);
count("mutants", mutants.code === 0 ? 1 : 0, mutants.code === 0 ? 0 : 1);

const held = await run(process.execPath, ["scripts/coverage.ts", "--ran", ...(long ? ["--long"] : [])], { show: true });
count("statements held by what ran", held.code === 0 ? 1 : 0, held.code === 0 ? 0 : 1);

// Failures are printed last, because long logs are often cut to their end.
for (const { file, line, name, reasons } of [
  ...(unit === null ? [] : unitTests("test-results/unit.json")),
  ...(journeys === null ? [] : journeyTests("test-results/journeys.json")),
].filter(({ status, passed: held }) => !held && status !== "skipped" && status !== "pending")) {
  console.log(`\nFailed: ${file}:${line} ${name}`);
  for (const reason of reasons) console.log(reason.split("\n").slice(0, 30).join("\n"));
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
