/** Reads the test reports: Vitest's `unit.json` and Playwright's `journeys.json`. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as v from "valibot";

export interface RanTest {
  /** Path relative to the project's folder. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The runner's name for the result. */
  readonly status: string;
  readonly passed: boolean;
  /** The runner's error messages. */
  readonly reasons: readonly string[];
}

const unitSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      assertionResults: v.array(
        v.object({
          fullName: v.string(),
          status: v.string(),
          failureMessages: v.nullish(v.array(v.string())),
          location: v.nullish(v.object({ line: v.number() })),
        }),
      ),
    }),
  ),
});

/** Every case of every test in every project. Throws when the report has no locations. */
export function unitTests(file: string): readonly RanTest[] {
  return v.parse(unitSchema, JSON.parse(readFileSync(file, "utf8"))).testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages, location }) => {
      if (!location) throw new Error(`${file} has no location of "${fullName}": run Vitest with --includeTaskLocation`);
      const passed = status === "passed";
      return { file: relative(process.cwd(), path), line: location.line, name: fullName, status, passed, reasons: failureMessages ?? [] };
    }),
  );
}

const journeySchema = v.object({
  status: v.string(),
  results: v.optional(v.array(v.object({ error: v.optional(v.object({ message: v.optional(v.string(), "") })) })), []),
});

interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly v.InferOutput<typeof journeySchema>[];
  }[];
  readonly suites?: readonly Suite[] | undefined;
}
const suiteSchema: v.GenericSchema<unknown, Suite> = v.object({
  specs: v.array(v.object({ title: v.string(), file: v.string(), line: v.number(), tests: v.array(journeySchema) })),
  suites: v.optional(v.array(v.lazy(() => suiteSchema))),
});
const journeysSchema = v.object({ config: v.object({ rootDir: v.string() }), suites: v.array(suiteSchema) });

/** Every browser test. One that passed only in a retry does not count as passed. */
export function journeyTests(file: string): readonly RanTest[] {
  const { config, suites } = v.parse(journeysSchema, JSON.parse(readFileSync(file, "utf8")));
  const inSuite = (suite: Suite): readonly RanTest[] => [
    ...suite.specs.flatMap((spec) =>
      spec.tests.map(({ status, results }) => ({
        file: relative(process.cwd(), join(config.rootDir, spec.file)),
        line: spec.line,
        name: spec.title,
        status,
        passed: status === "expected",
        reasons: results.flatMap(({ error }) => (error === undefined ? [] : [error.message])),
      })),
    ),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return suites.flatMap(inSuite);
}
