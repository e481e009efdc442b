/** `npm test`: runs checks, unit tests, conformance tests and browser tests. Then checks that each statement of the specification has a passed test. The last line has the totals. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
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

/** Where the runners write their reports. */
const reports = { unit: "test-results/unit.json", journeys: "test-results/journeys.json" };

let passed = 0;
let failed = 0;
/** Adds results to the totals, and prints them with the seconds since `began`. */
function count(name: string, good: number, bad: number, began = performance.now()): void {
  passed += good;
  failed += bad;
  console.log(`${name}: ${good} passed, ${bad} failed, in ${Math.round((performance.now() - began) / 1_000)} s`);
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

async function runChecks(): Promise<void> {
  const began = performance.now();
  const { code } = await run(process.execPath, ["scripts/check.ts"], { show: true });
  count("checks", code === 0 ? 1 : 0, code === 0 ? 0 : 1, began);
}

async function runUnitTests(): Promise<void> {
  const began = performance.now();
  await run(
    "vitest",
    [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${reports.unit}`,
      // Adds each test's line number to the report. All cases of an `it.each` have the same line, so the report can join them.
      "--includeTaskLocation",
      ...(long ? ["--config", "vitest.long.config.ts"] : []),
    ],
    { show: true, env },
  );
  const unit = report(reports.unit, vitestReport);
  const bad = unit === null ? 1 : unit.numFailedTests + (unit.success || unit.numFailedTests > 0 ? 0 : 1);
  count("unit and conformance", unit?.numPassedTests ?? 0, bad, began);
}

async function build(): Promise<void> {
  if (isBuilt()) return;
  const began = performance.now();
  const { code } = await run(process.execPath, ["scripts/build.ts"], { show: true });
  if (code === 0) markBuilt();
  else count("build", 0, 1, began);
}

async function runJourneys(): Promise<void> {
  await build();
  const began = performance.now();
  await run("playwright", ["test"], { show: true, env });
  const journeys = report(reports.journeys, playwrightReport);
  count("journeys", journeys?.stats.expected ?? 0, journeys === null ? 1 : journeys.stats.unexpected + journeys.stats.flaky, began);
}

async function runMutants(): Promise<void> {
  const began = performance.now();
  const { code, output } = await run(process.execPath, ["scripts/mutation.ts", ...(long ? [] : ["--sample"])], { show: long });
  // The sample runs at the same time as the journeys. Printing its output only at the end keeps the two apart.
  if (!long) console.log(output);
  count("mutants", code === 0 ? 1 : 0, code === 0 ? 0 : 1, began);
}

await runChecks();
await runUnitTests();
// The sample of mutants takes one core for some seconds, so it runs at the same time as the journeys. All mutants take hours.
await Promise.all([runJourneys(), long ? null : runMutants()]);
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
  await runMutants();
}

const began = performance.now();
const held = await run(process.execPath, ["scripts/coverage.ts", "--ran", ...(long ? ["--long"] : [])], { show: true });
count("statements held by what ran", held.code === 0 ? 1 : 0, held.code === 0 ? 0 : 1, began);

// Failures are printed last, because long logs are often cut to their end.
const { unit, journeys } = reports;
for (const { file, line, name, reasons } of [
  ...(existsSync(unit) ? unitTests(unit) : []),
  ...(existsSync(journeys) ? journeyTests(journeys) : []),
].filter(({ status, passed: held }) => !held && status !== "skipped" && status !== "pending")) {
  console.log(`\nFailed: ${file}:${line} ${name}`);
  for (const reason of reasons) console.log(reason.split("\n").slice(0, 30).join("\n"));
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
