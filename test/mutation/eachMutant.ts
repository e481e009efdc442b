/**
 * Vitest's part of the quick pass. Vitest repeats a test up to its `retry` count, with all hooks, in the same process: each repetition tries another
 * mutant of the test. The first run, and the run after each failure, has no mutant. If such a run fails, the process is spoiled: the test ends there, and
 * another process tries its remaining mutants.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { type RunnerTestCase, TestRunner } from "vitest";
import { busyFolder, readVerdicts, tell, type Work, workFile } from "./verdicts.ts";

interface Instrumented {
  activeMutant?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

// The real timers, before tests replace them with fake ones.
const { setTimeout: later, clearTimeout: never } = globalThis;
const now = performance.now.bind(performance);
/** Before each test that takes longer than this (ms), the verdicts are read again: the test may not need to run any more. */
const longTest = 300;
const busyFile = `${busyFolder}/${process.pid}`;

export function idOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let { suite } = test; suite; { suite } = suite) names.unshift(suite.name);
  return `${relative(process.cwd(), test.file.filepath)}#${names.join(" > ").trim()}`;
}

export default class EachMutant extends TestRunner {
  readonly #work: Work = JSON.parse(readFileSync(workFile, "utf8"));
  readonly #stryker: Instrumented = ((globalThis as Record<string, unknown>)[this.#work.namespace] ??= {}) as Instrumented;
  /** Whether an earlier test spoiled this process, and whether this test did. */
  #spoiled = false;
  #givenUp = false;
  #id = "";
  #left: string[] = [];
  /** How many of the next attempts run without a mutant. The first two check that the test can run twice. */
  #clean = 0;
  #failed: { readonly mutant: string; readonly looped: boolean } | undefined;
  #usual = 0;

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#id = idOf(test);
    const { done, tried } = readVerdicts();
    const met = Object.keys(this.#work.perTest[this.#id] ?? {});
    this.#left = met.filter((mutant) => !done.has(mutant) && tried(mutant, this.#id) === undefined);
    if (this.#left.length === 0) {
      test.mode = "skip";
      return;
    }
    this.#givenUp = false;
    this.#clean = 2;
    this.#failed = undefined;
    test.retry = { count: Number.MAX_SAFE_INTEGER, condition: () => true };
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options);
    if (this.#clean > 0) return;
    const mutant = this.#left[0] ?? "";
    writeFileSync(busyFile, `${mutant}\t${this.#id}`);
    this.#stryker.hitLimit = this.#work.hitLimits[mutant];
    this.#stryker.hitCount = 0;
    this.#stryker.activeMutant = mutant;
  }

  /** Runs a test with a timeout of twenty times its usual duration plus five seconds, to detect hanging. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const started = now();
    const running = TestRunner.getTestFn(test)();
    if (this.#clean > 0) {
      await running;
      this.#usual = now() - started;
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = later(() => reject(new Error("The test hangs")), 5000 + Math.min(20 * this.#usual, 55_000));
    });
    await Promise.race([running, limit]).finally(() => never(timer));
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const { result } = test;
    if (result === undefined) return;
    const passed = result.state !== "fail";
    if (this.#clean > 0) this.#afterClean(passed);
    else this.#afterMutant(passed);
    const goesOn = !this.#givenUp && (this.#clean > 0 || this.#left.length > 0);
    result.state = goesOn ? "fail" : "pass";
    result.errors = goesOn ? [{ message: "the next mutant" }] : [];
    result.attempts = [];
    if (!goesOn) rmSync(busyFile, { force: true });
  }

  #afterClean(passed: boolean): void {
    this.#clean--;
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed !== undefined) tell(passed ? (failed.looped ? "looped" : "killed") : "unclear", failed.mutant, this.#id);
    // A test that fails in its second run cannot try mutants. If only this process is spoiled, it may try them later in another one.
    else if (!passed && !this.#spoiled) for (const mutant of this.#left) tell("unclear", mutant, this.#id);
    if (passed) return;
    this.#givenUp = true;
    this.#spoiled = true;
  }

  #afterMutant(passed: boolean): void {
    const mutant = this.#left.shift() ?? "";
    const { hitCount = 0, hitLimit = Number.POSITIVE_INFINITY } = this.#stryker;
    this.#stryker.activeMutant = undefined;
    this.#stryker.hitCount = undefined;
    const looped = hitCount > hitLimit;
    if (hitCount === 0) tell("unclear", mutant, this.#id);
    else if (passed && !looped) tell("lived", mutant, this.#id);
    else this.#failed = { mutant, looped };
    if (!passed || looped) this.#clean = 1;
    if (this.#usual > longTest) this.#leaveOutDone();
  }

  /** Omits mutants that another process has killed meanwhile. */
  #leaveOutDone(): void {
    const { done } = readVerdicts();
    this.#left = this.#left.filter((mutant) => !done.has(mutant));
  }
}
