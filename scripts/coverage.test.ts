/** Runs the check as a process in its own project folder, after real runs of Vitest and Playwright there. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "parlando-coverage-"));

/** Runs a process. Resolves with its exit code and its lines of output. */
function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) =>
      done({ code: child.exitCode, lines: `${stdout}${stderr}`.trim().split("\n") }),
    );
  });
}

const row = (id: number, heldBy: string, state = "held") => `| 000-1.${id} | A statement. | src/sum.test.ts | ${state} | ${heldBy} |`;

const requirement = (id: string, state: string, test: string, where = "src/sum.test.ts") =>
  `| ${id} | A requirement. | ${state} | ${where} | ${test} |`;

/**
 * Runs `scripts/coverage.ts` on a document with 250 valid rows and one more row for each entry of `heldBy`, which is that row's last column. `of` has
 * the complaints about each of these rows, `others` all remaining complaints.
 */
async function check(heldBy: readonly string[], args: readonly string[] = [], state = "held", security: readonly string[] = []) {
  const held = Array.from({ length: 250 }, (_, id) => row(id, "src/sum.test.ts › sums › adds two numbers"));
  writeFileSync(join(folder, "docs/spec-coverage.md"), [...held, ...heldBy.map((one, id) => row(250 + id, one, state))].join("\n"));
  writeFileSync(join(folder, "docs/security.md"), security.join("\n"));
  const { code, lines } = await run([join(project, "scripts/coverage.ts"), ...args]);
  const complaints = lines.slice(2);
  return {
    code,
    of: heldBy.map((_, id) => complaints.filter((line) => line.startsWith(`000-1.${250 + id}: `)).map((line) => line.replace(/^\S+ /, ""))),
    others: complaints.filter((line) => !/^000-1\.2[5-9]\d: /.test(line)),
  };
}
const fine = (rows: number) => ({ code: 0, of: Array.from({ length: rows }, () => []), others: [] });

beforeAll(async () => {
  for (const path of ["docs", "src", "test/e2e", "test/long", "test-results"]) mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(
    join(folder, "src/sum.test.ts"),
    `import { describe, expect, it, test } from "vitest";
describe.each(["here", "there"])("sums", (place) => {
  it("adds two numbers", () => expect(place).toMatch(/here/));
  it("passes here only", () => expect(place).toBe("here"));
  it.each([
    [1, 1],
    [2, 3],
  ])("%i is %i", (one, other) => {
    expect(one).toBe(other);
  });
});
describe("products", () => {
  it("adds two numbers", () => {});
  it("twice", () => {});
  it("twice", () => {});
});
test.each(["é", "ü"])("%s; a word | another", () => {});
const name = "whole";
test(\`a \${name} number\`, () => {});
test.skip("left out", () => {});
describe.each([true, false])("an engine, installed: %s", (isThere) => {
  it.skipIf(!isThere)("starts", () => {});
});
// test("commented out", () => {});
it("says a word", () => void "test(\`in a string\`, () => {})");
`,
  );
  writeFileSync(join(folder, "test/long/age.test.ts"), `import { test } from "vitest";\ntest("takes an hour", () => {});\n`);
  writeFileSync(
    join(folder, "test/e2e/walk.spec.ts"),
    `import { expect, test } from "@playwright/test";
test.describe("a walk", () => {
  test("arrives", async () => {
    await test.step("a step", () => {});
  });
  test("arrives late", ({}, { retry }) => expect(retry).toBe(1));
  test("arrives nowhere", () => test.skip(true, "too far"));
});
`,
  );
  writeFileSync(
    join(folder, "playwright.config.ts"),
    `export default { testDir: "test/e2e", outputDir: "test-results/journeys", retries: 1, reporter: [["json", { outputFile: "test-results/journeys.json" }]] };`,
  );
  await run([
    join(project, "node_modules/vitest/vitest.mjs"),
    "run",
    "src",
    "--includeTaskLocation",
    "--reporter=json",
    "--outputFile=test-results/unit.json",
  ]);
  await run([join(project, "node_modules/@playwright/test/cli.js"), "test"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a row's test", () => {
  test("is named by its title in the source, with or without its groups", async () => {
    const names = [
      "src/sum.test.ts › %i is %i",
      "src/sum.test.ts › sums › passes here only",
      "src/sum.test.ts › a ${name} number",
      "src/sum.test.ts › %s; a word \\| another; src/sum.test.ts › left out",
      "test/e2e/walk.spec.ts › arrives",
      "test/long/age.test.ts › takes an hour",
    ];
    expect(await check(names)).toEqual(fine(names.length));
  });
  test("is not found by a part of a title, a group, a comment, a string, a step, or an ambiguous title", async () => {
    const complaints = {
      "src/sum.test.ts › passes here": 'src/sum.test.ts has no test "passes here": meant is "sums › passes here only"',
      "src/sum.test.ts › products":
        'src/sum.test.ts has no test "products": meant is "products › adds two numbers" or "products › twice" or "products › twice"',
      "src/sum.test.ts › commented out": 'src/sum.test.ts has no test "commented out"',
      "src/sum.test.ts › in a string": 'src/sum.test.ts has no test "in a string"',
      "src/sum.test.ts": 'src/sum.test.ts has no test ""',
      "test/e2e/walk.spec.ts › a step": 'test/e2e/walk.spec.ts has no test "a step"',
      "src/gone.test.ts › adds": "src/gone.test.ts does not exist",
      "package.json › adds": "package.json is no test",
      "src/sum.test.ts › adds two numbers":
        'src/sum.test.ts has several tests "adds two numbers": name one with its group, "sums › adds two numbers" or "products › adds two numbers"',
      "src/sum.test.ts › twice": 'src/sum.test.ts has "twice" 2 times in one group: give each a title of its own',
    };
    const { code, of } = await check(Object.keys(complaints));
    expect(of).toEqual(Object.values(complaints).map((one) => [one]));
    expect(code).toBe(1);
  });
  test("is not needed while the statement is open; a difference must name an existing decision", async () => {
    expect(await check(["-"], [], "open")).toEqual(fine(1));
    expect((await check(["src/sum.test.ts › left out"], [], "differs: decisions/no.md; the document says so")).of).toEqual([
      ["decisions/no.md does not exist"],
    ]);
    expect((await check(["src/sum.test.ts › left out"], [], "almost")).of).toEqual([['"almost" is no state']]);
  });
});

test("a held security requirement names its tests or says why there are none; its files exist, and its state is one of four", async () => {
  const fitting = [
    requirement("V1.1.1", "held", "src/sum.test.ts › left out"),
    requirement("V1.1.2", "held", "no test: a document"),
    requirement("V1.2.6 to V1.2.8", "not applicable", "none is used", "-"),
    requirement("V1.2.9", "open", "something is missing"),
  ];
  expect(await check([], [], "held", fitting)).toEqual(fine(0));
  const wrong = [
    requirement("V1.1.1", "held", "src/sum.test.ts › passes"),
    requirement("V1.1.1", "open", "something is missing"),
    requirement("V1.1.2", "almost", "a reason", "src/gone.ts"),
  ];
  expect((await check([], [], "held", wrong)).others).toEqual([
    'V1.1.1: src/sum.test.ts has no test "passes": meant is "sums › passes here only"',
    "V1.1.1 stands twice",
    'V1.1.2: "almost" is no state',
    "V1.1.2: src/gone.ts does not exist",
  ]);
  expect((await check([], ["--ran"], "held", [requirement("V1.1.1", "held", "src/sum.test.ts › left out")])).others).toEqual([
    'V1.1.1: src/sum.test.ts › left out has not passed: "left out" is skipped',
  ]);
});

describe("after the run", () => {
  test("a row is held when its test passed, in every case", async () => {
    const names = ["src/sum.test.ts › %s; a word \\| another", "src/sum.test.ts › a ${name} number", "test/e2e/walk.spec.ts › arrives"];
    expect(await check(names, ["--ran"])).toEqual(fine(names.length));
  });
  test("a row is not held by a test with a failed case, a skipped test, or a test that passed only in a retry", async () => {
    const twice = (one: string) => [one, one];
    const complaints = {
      "src/sum.test.ts › %i is %i": twice('src/sum.test.ts › sums › %i is %i has not passed: "sums 2 is 3" is failed'),
      "src/sum.test.ts › passes here only": ['src/sum.test.ts › sums › passes here only has not passed: "sums passes here only" is failed'],
      "src/sum.test.ts › left out": ['src/sum.test.ts › left out has not passed: "left out" is skipped'],
      "test/e2e/walk.spec.ts › arrives late": ['test/e2e/walk.spec.ts › a walk › arrives late has not passed: "arrives late" is flaky'],
      "test/e2e/walk.spec.ts › arrives nowhere": [
        'test/e2e/walk.spec.ts › a walk › arrives nowhere has not passed: "arrives nowhere" is skipped',
      ],
    };
    expect(await check(Object.keys(complaints), ["--ran"])).toEqual({ code: 1, of: Object.values(complaints), others: [] });
  });
  test("a case may be skipped when another passed, but not in a long run", async () => {
    const name = "src/sum.test.ts › starts";
    expect(await check([name], ["--ran"])).toEqual(fine(1));
    expect((await check([name], ["--ran", "--long"])).of).toEqual([
      ['src/sum.test.ts › an engine, installed: %s › starts has not passed: "an engine, installed: false starts" is skipped'],
    ]);
  });
  test("a long test must run only in a long run", async () => {
    const name = "test/long/age.test.ts › takes an hour";
    expect(await check([name], ["--ran"])).toEqual(fine(1));
    expect(await check([name], ["--ran", "--long"])).toEqual({ code: 1, of: [[`${name} did not run`]], others: [] });
  });
  test("no row is held by a runner without a report", async () => {
    const report = join(folder, "test-results/journeys.json");
    renameSync(report, `${report}.away`);
    const checked = await check(["test/e2e/walk.spec.ts › arrives"], ["--ran"]);
    renameSync(`${report}.away`, report);
    expect(checked).toEqual({
      code: 1,
      of: [["test/e2e/walk.spec.ts › a walk › arrives did not run"]],
      others: ["there is no report test-results/journeys.json"],
    });
  });
});
