/**
 * The quick pass of mutation tests. Stryker's own runner starts Vitest for each mutant, which takes many times as long as the tests. This runner goes
 * first: after the dry run it tries each test with all its mutants in one process (`eachMutant.ts`). Stryker's runner decides what remains unclear.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { strykerPlugins as vitestPlugins } from "@stryker-mutator/vitest-runner";
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node";
import { busyFolder, prepare, readVerdicts, tell, type Verdicts, type Work, workFile } from "./verdicts.ts";

function ownRunner() {
  const [plugin] = vitestPlugins;
  if (plugin === undefined) throw new Error("Stryker's package for Vitest has no runner");
  return plugin;
}
const own = ownRunner();
type Runner = ReturnType<typeof own.factory>;
type DryRun = Awaited<ReturnType<Runner["dryRun"]>>;
type MutantRunOptions = Parameters<Runner["mutantRun"]>[0];
type MutantRun = Awaited<ReturnType<Runner["mutantRun"]>>;
type Coverage = NonNullable<Extract<DryRun, { tests: unknown }>["mutantCoverage"]>;

const namespace = "__stryker__";
const hitLimitFactor = 100;
/** Longest attempt, ms. An attempt times out after a minute, unless its process is stuck in a loop. */
const longestAttempt = 150_000;

const fileOf = (test: string): string => test.slice(0, test.indexOf("#"));

function workFrom({ perTest, static: beforeTests }: Coverage): Work {
  const hitLimits: Record<string, number> = {};
  for (const hits of [beforeTests, ...Object.values(perTest)])
    for (const [mutant, count] of Object.entries(hits)) hitLimits[mutant] = (hitLimits[mutant] ?? 0) + count * hitLimitFactor;
  return { namespace, perTest, hitLimits };
}

/** Test files by duration, the shortest first: later files skip the mutants that these kill. */
function fromShortToLong(tests: readonly { readonly id: string; readonly timeSpentMs: number }[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { id, timeSpentMs } of tests) times.set(fileOf(id), (times.get(fileOf(id)) ?? 0) + timeSpentMs);
  return [...times].toSorted(([, one], [, other]) => one - other).map(([file]) => file);
}

/** Test files with a test that has not tried all of its surviving mutants. */
function filesLeft({ perTest }: Work, { done, tried }: Verdicts): readonly string[] {
  const left = Object.entries(perTest).filter(([test, hits]) =>
    Object.keys(hits).some((mutant) => !done.has(mutant) && tried(mutant, test) === undefined),
  );
  return [...new Set(left.map(([test]) => fileOf(test)))];
}

function endHanging(): void {
  for (const name of readdirSync(busyFolder)) {
    const file = join(busyFolder, name);
    if (Date.now() - statSync(file).mtimeMs < longestAttempt) continue;
    const [mutant = "", test = ""] = readFileSync(file, "utf8").split("\t");
    tell("hung", mutant, test);
    rmSync(file);
    process.kill(Number(name), "SIGKILL");
  }
}

function inOrder(files: readonly string[]) {
  const places = new Map(files.map((file, place) => [resolve(file), place]));
  return class extends BaseSequencer {
    override async sort(specifications: readonly TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((one, other) => (places.get(one.moduleId) ?? 0) - (places.get(other.moduleId) ?? 0));
    }
  };
}

/** Runs all files. Then repeats the files with untried mutants, for as long as each round decides enough of them. */
async function tryAll(work: Work, byTime: readonly string[]): Promise<void> {
  prepare();
  writeFileSync(workFile, JSON.stringify(work));
  const watch = setInterval(endHanging, 5000);
  let known = Number.NEGATIVE_INFINITY;
  for (;;) {
    const verdicts = readVerdicts();
    const files = filesLeft(work, verdicts);
    if (files.length === 0 || verdicts.count < known + 20 * files.length) break;
    known = verdicts.count;
    const vitest = await createVitest("test", {
      config: "vitest.mutation.config.ts",
      runner: join(import.meta.dirname, "eachMutant.ts"),
      pool: "forks",
      maxWorkers: 2,
      watch: false,
      reporters: [{}],
      coverage: { enabled: false },
      sequence: { sequencer: inOrder(byTime) },
    });
    await vitest.start([...files]);
    await vitest.close();
  }
  clearInterval(watch);
}

class QuickRunner implements Runner {
  readonly #exact: Runner;
  #verdicts = readVerdicts();

  constructor(exact: Runner) {
    this.#exact = exact;
  }
  capabilities() {
    return this.#exact.capabilities();
  }
  async init(): Promise<void> {
    await this.#exact.init?.();
  }
  async dispose(): Promise<void> {
    await this.#exact.dispose?.();
  }

  async dryRun(options: Parameters<Runner["dryRun"]>[0]): Promise<DryRun> {
    const result = await this.#exact.dryRun(options);
    if ("tests" in result && result.mutantCoverage !== undefined && !result.tests.some((test) => "failureMessage" in test)) {
      await tryAll(workFrom(result.mutantCoverage), fromShortToLong(result.tests));
      this.#verdicts = readVerdicts();
    }
    return result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRun> {
    const { activeMutant, testFilter = [] } = options;
    const { id } = activeMutant;
    const end = this.#verdicts.done.get(id);
    const nrOfTests = testFilter.length;
    if (end?.verdict === "killed")
      return { status: "killed" as never, killedBy: [end.test], failureMessage: "It failed in the quick pass", nrOfTests };
    if (end !== undefined)
      return { status: "timeout" as never, reason: end.verdict === "looped" ? "Hit limit reached in the quick pass" : "Its process hung" };
    const unclear = testFilter.filter((test) => this.#verdicts.tried(id, test) !== "lived");
    if (nrOfTests > 0 && unclear.length === 0) return { status: "survived" as never, nrOfTests };
    return this.#exact.mutantRun({ ...options, testFilter: unclear });
  }
}

const makeExact: (injector: never) => Runner = own.factory;
const quickRunner = Object.assign((injector: never) => new QuickRunner(makeExact(injector)), { inject: ["$injector"] });

export const strykerPlugins = [{ kind: own.kind, name: "quick", factory: quickRunner }];
