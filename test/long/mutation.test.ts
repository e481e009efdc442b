/** Runs `npm run mutation` as a process in its own project folder, with real mutants. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "parlando-mutation-"));

function mutate(survivors: object): Promise<{ readonly code: number | null; readonly output: string }> {
  writeFileSync(join(folder, "test/mutation/survivors.json"), JSON.stringify(survivors));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(project, "scripts/mutation.ts"), "src/core"],
      { cwd: folder, env },
      (_, stdout, stderr) => done({ code: child.exitCode, output: `${stdout}\n${stderr}` }),
    );
  });
}

beforeAll(() => {
  for (const path of ["src/core", "test/mutation"]) mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(join(folder, "vitest.mutation.config.ts"), `export default { test: { include: ["src/**/*.test.ts"] } };`);
  writeFileSync(
    join(folder, "src/core/age.ts"),
    `const limits: readonly number[] = [18, 21];
export function isOfAge(age: number): boolean {
  return age >= 18;
}
export function isOld(): boolean {
  return false;
}
export function upTo(age: number): number {
  let count = 0;
  while (count < age) count++;
  return count + limits.length - 2;
}
`,
  );
  writeFileSync(
    join(folder, "src/core/age.test.ts"),
    `import { expect, test } from "vitest";
import { isOfAge, upTo } from "./age.ts";
test("some are of age", () => {
  expect(isOfAge(17)).toBe(false);
  expect(isOfAge(19)).toBe(true);
  expect(upTo(3)).toBe(3);
});
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const edge = { code: "return age >= 18;", mutant: "EqualityOperator: age >= 18 → age > 18", reason: "Nobody is exactly eighteen." };
const body = { code: "export function isOld(): boolean {", mutant: "BlockStatement: { return false; } → {}", reason: "Nobody is old." };
const never = { code: "return false;", mutant: "BooleanLiteral: false → true", reason: "Nobody is old." };

test("a surviving mutant fails the run until it is listed with a reason, and an endless loop is killed", async () => {
  const { code, output } = await mutate({ "src/core/age.ts": [body] });
  expect(output).toContain("src/core/age.ts:3 Survived: EqualityOperator: age >= 18 → age > 18");
  expect(output).toContain("src/core/age.ts:6 NoCoverage: BooleanLiteral: false → true");
  expect(output).toContain("2 mutants that no test notices are not listed");
  expect(output).toMatch(/src\/core: \d\d\.\d %: \d+ killed, 1 survived, 2 not covered, 0 timed out, 1 ignored/);
  expect(code).toBe(1);
  expect(JSON.parse(readFileSync(join(folder, "test-results/survivors.json"), "utf8"))).toEqual({
    "src/core/age.ts": [edge, never].map((entry) => ({ ...entry, reason: "" })),
  });
  expect((await mutate({ "src/core/age.ts": [body, edge, never] })).code).toBe(0);
  expect((await mutate({ "src/core/age.ts": [body, edge, { ...never, reason: "" }] })).code).toBe(1);
});
