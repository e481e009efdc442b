/**
 * `npm run mutation`: makes thousands of small changes (mutants) in the code and checks that a test fails for each.
 * - By default: in every folder of `folders`.
 * - `--sample`: in a few files with their own tests (part of `npm test`).
 * - `-- src/core/money.ts`: in these files or folders.
 * - `--exact`: without the quick pass.
 *
 * A mutant that survives must be listed in `test/mutation/survivors.json` with a reason. A whole folder must also reach its wanted score.
 */
import { Stryker } from "@stryker-mutator/core";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { makeTestFolder } from "./testFolder.ts";

interface Part {
  readonly name: string;
  readonly code: readonly string[];
  readonly without?: readonly string[];
  readonly tests: readonly string[];
}

const wantedScore = 90;

/** The checker of questionnaires. Its own tests take longest and cover no other code. */
const checkCode = ["src/core/questionnaire/{check,explore}.ts", "src/core/questionnaire/check/*.ts"] as const;

/** Parsing of the providers' webhooks and the decisions from them. Pure code; its tests need no server. */
const providerCode = [
  "src/server/payments/{classicSignature,entitlement,mailboxes,paddleBilling,paddleBillingFacts,paddleClassic,paddleClassicAlerts,paddleClassicFacts,paddleSignature,planView,priceCheck,provider}.ts",
] as const;

/** The checkout, whose tests need the whole site. */
const checkoutCode = ["src/server/payments/checkouts.ts"] as const;

/** Mutants of a folder run only its listed tests. Entries of the same name count as one folder. */
const folders: readonly Part[] = [
  {
    name: "src/core",
    code: ["src/core/**/*.ts"],
    without: [...checkCode],
    tests: [
      "src/core/{,statistics/}*.test.ts",
      "src/core/questionnaire/{calendar,compile,definition,destination,lessons,level,merge,placeholders,plan,progress,requirements,saved,schedule,state,step}.test.ts",
      "src/web/{analytics,api,device,outside,payment,session}/*.test.ts",
      "src/server/{accountInput,calls}.test.ts",
      "src/server/handlers/shared/savedStates.test.ts",
      "src/ui/ui.test.tsx",
    ],
  },
  {
    name: "src/core",
    code: [...checkCode],
    tests: ["src/core/questionnaire/{check,explore}.test.ts", "src/core/questionnaire/check/*.test.ts"],
  },
  {
    name: "src/web/session",
    code: ["src/web/{device,session}/*.ts"],
    tests: ["src/web/{analytics,device,session}/*.test.ts"],
  },
  {
    name: "src/server/accounts",
    code: ["src/server/accounts/*.ts", "src/server/mail/{codeTries,links}.ts"],
    // Mutants cannot be activated in worker threads.
    without: ["src/server/accounts/hashingThread.ts"],
    tests: [
      "src/server/accounts/*.test.ts",
      "src/server/{accounts,accountLinks,emailChanges,openSessions,passwordLanes,underway}.test.ts",
      "src/server/handlers/shared/savedStates.test.ts",
    ],
  },
  {
    name: "src/server/payments",
    code: ["src/server/payments/*.ts"],
    without: [...providerCode, ...checkoutCode],
    tests: [
      "src/server/payments/{buyers,calls,catalogue,duties,earlyEnds,entries,gifts,ledger,life,mismatches,moneyBack,notices,orders,planMails,planNews,priorPrices,refunds,reminders,renewalReminders,trials,verdicts}.test.ts",
      "src/server/studio/{money/money,people/people}.test.ts",
    ],
  },
  {
    name: "src/server/payments",
    code: [...checkoutCode],
    tests: ["src/server/payments/checkout.test.ts"],
  },
  {
    name: "src/server/payments",
    code: [...providerCode],
    tests: ["src/server/payments/{classicSignature,entitlement,mailboxes,paddleBilling,paddleClassic,planView,priceCheck}.test.ts"],
  },
];

/** Small pure code with quick tests: the next question, and the price of a plan. */
const sample: Part = {
  name: "sample",
  code: ["src/core/questionnaire/{level,next}.ts", "src/core/{entitlement,money}.ts"],
  tests: ["src/core/questionnaire/{level,step}.test.ts", "src/core/{entitlement,money}.test.ts"],
};

const testFile = /\.test\.tsx?$|\.conformance\.ts$|\/fakeApi\.ts$/;
const notTests = /durability\.test\.ts$/;
function filesOf(patterns: readonly string[], without: readonly string[] = []): readonly string[] {
  const unmatched = patterns.flatMap(alternatives).filter((pattern) => globSync(pattern).length === 0);
  if (unmatched.length > 0) throw new Error(`No file is named ${unmatched.join(" or ")}: was it moved?`);
  return patterns.flatMap((pattern) => globSync(pattern, { exclude: [...without] })).toSorted();
}
/** The patterns that a pattern with braces stands for. */
function alternatives(pattern: string): readonly string[] {
  const [, before = "", names, behind = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(",").map((name) => before + name + behind);
}

interface Undetected {
  readonly file: string;
  readonly line: number;
  /** The text of the mutant's first line. Identifies the mutant even when the line moves. */
  readonly code: string;
  readonly mutant: string;
  readonly status: string;
}

interface Result {
  readonly name: string;
  readonly killed: number;
  readonly ignored: number;
  readonly timedOut: number;
  readonly undetected: readonly Undetected[];
  readonly minutes: number;
}

const brief = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Runs Stryker. A mutant that loops too often is killed; one that only times out counts as undetected. */
async function mutate({ name, code, tests }: Part): Promise<Result> {
  const started = performance.now();
  const mutants = await new Stryker({
    mutate: code.filter((file) => !testFile.test(file)),
    testFiles: tests.filter((file) => !notTests.test(file)),
    testRunner: values.exact ? "vitest" : "quick",
    plugins: [
      "@stryker-mutator/vitest-runner",
      ...["operatorsWords", "quickRunner"].map((plugin) => join(import.meta.dirname, `../test/mutation/${plugin}.ts`)),
    ],
    ignorers: ["operators' words"],
    vitest: { configFile: "vitest.mutation.config.ts", related: false },
    coverageAnalysis: "perTest",
    // Skips code that runs once at import, like tables and schemas: each of its mutants would need every test.
    ignoreStatic: true,
    concurrency: values.exact ? 2 : 1,
    timeoutMS: 300_000,
    timeoutFactor: 20,
    dryRunTimeoutMinutes: 120,
    // Stryker's handling of tsconfig.json needs functions that TypeScript 7 lacks; the sandbox needs no tsconfig.json.
    tsconfigFile: "none",
    disableTypeChecks: false,
    tempDirName: "build/stryker",
    ignorePatterns: ["/.cache", "/bench", "/build", "/data", "/docs/pictures", "/test/screenshots"],
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `test-results/mutation-${name.replaceAll("/", "-")}.json` },
  }).runMutationTest();

  const sources = new Map<string, string>();
  const undetected: Undetected[] = [];
  let [killed, ignored, timedOut] = [0, 0, 0];
  for (const { fileName, location, mutatorName, replacement, status, statusReason } of mutants) {
    const looped = status === "Timeout" && statusReason?.includes("Hit limit") === true;
    if (status === "Timeout" && !looped) timedOut++;
    if (status === "Killed" || looped) killed++;
    else if (status === "Survived" || status === "NoCoverage" || status === "Timeout") {
      const file = fileName.slice(process.cwd().length + 1);
      const source = sources.get(file) ?? readFileSync(file, "utf8");
      sources.set(file, source);
      const lines = source.split("\n");
      const { start, end } = location;
      const piece = lines.slice(start.line - 1, end.line);
      piece[piece.length - 1] = piece.at(-1)?.slice(0, end.column - 1) ?? "";
      piece[0] = piece[0]?.slice(start.column - 1) ?? "";
      const was = piece.join(" ");
      const code = brief(lines[start.line - 1] ?? "");
      undetected.push({ file, line: start.line, code, mutant: `${mutatorName}: ${brief(was)} → ${brief(replacement)}`, status });
    } else ignored++;
  }
  undetected.sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
  return { name, killed, ignored, timedOut, undetected, minutes: (performance.now() - started) / 60_000 };
}

const mergeResults = (one: Result, other: Result): Result => ({
  name: one.name,
  killed: one.killed + other.killed,
  ignored: one.ignored + other.ignored,
  timedOut: one.timedOut + other.timedOut,
  undetected: [...one.undetected, ...other.undetected],
  minutes: one.minutes + other.minutes,
});

const survivorsFile = "test/mutation/survivors.json";
const survivorsSchema = v.record(
  v.string(),
  v.array(v.object({ code: v.string(), mutant: v.string(), reason: v.pipe(v.string(), v.minLength(10)) })),
);
const known = v.parse(survivorsSchema, JSON.parse(readFileSync(survivorsFile, "utf8")));

/** The undetected mutants that are not listed. An entry covers one mutant; a second identical mutant counts as new. */
function unlisted(undetected: readonly Undetected[]): readonly Undetected[] {
  const left = new Map(Object.entries(known).map(([file, entries]) => [file, [...entries]]));
  return undetected.filter(({ file, code, mutant }) => {
    const entries = left.get(file) ?? [];
    const at = entries.findIndex((entry) => entry.code === code && entry.mutant === mutant);
    if (at >= 0) entries.splice(at, 1);
    return at < 0;
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "boolean", default: false }, exact: { type: "boolean", default: false } },
});
function partsAskedFor(): readonly Part[] {
  const whole = (values.sample ? [sample] : folders).map((part) => ({
    ...part,
    code: filesOf(part.code, part.without),
    tests: filesOf(part.tests),
  }));
  if (positionals.length === 0) return whole;
  return whole
    .map((part) => ({ ...part, code: part.code.filter((file) => positionals.some((asked) => `${file}/`.startsWith(`${asked}/`))) }))
    .filter((part) => part.code.length > 0);
}

process.env["TMPDIR"] = makeTestFolder();
mkdirSync("test-results", { recursive: true });
const results: Result[] = [];
for (const part of partsAskedFor()) {
  const result = await mutate(part);
  const before = results.findIndex(({ name }) => name === part.name);
  if (before < 0) results.push(result);
  else results.splice(before, 1, mergeResults(results[before] ?? result, result));
}

const scoreOf = ({ killed, undetected }: Result): number =>
  killed + undetected.length === 0 ? 100 : (100 * killed) / (killed + undetected.length);
const wrong: string[] = results.length === 0 ? ["there is nothing to mutate in these files"] : [];
for (const result of results) {
  const { name, killed, ignored, timedOut, undetected, minutes } = result;
  const [survived, uncovered] = [undetected.filter(({ status }) => status !== "NoCoverage").length, undetected.length];
  console.log(
    `${name}: ${scoreOf(result).toFixed(1)} %: ${killed} killed, ${survived - timedOut} survived, ${uncovered - survived} not covered, ` +
      `${timedOut} timed out, ${ignored} ignored, ${minutes.toFixed(1)} min`,
  );
  if (positionals.length === 0 && scoreOf(result) < wantedScore) wrong.push(`${name} is under ${wantedScore} %`);
}
const fresh = unlisted(results.flatMap(({ undetected }) => undetected));
for (const { file, line, code, mutant, status } of fresh) wrong.push(`${file}:${line} ${status}: ${mutant}\n    ${code}`);
writeFileSync(
  "test-results/survivors.json",
  JSON.stringify(
    Object.fromEntries(
      [...Map.groupBy(fresh, ({ file }) => file)].map(([file, list]) => [
        file,
        list.map(({ code, mutant }) => ({ code, mutant, reason: "" })),
      ]),
    ),
    null,
    2,
  ),
);
for (const line of wrong) console.error(line);
if (fresh.length > 0)
  console.error(
    `${fresh.length} mutants that no test notices are not listed: test them, or list them with a reason (test-results/survivors.json has them)`,
  );
process.exit(wrong.length === 0 ? 0 : 1);
