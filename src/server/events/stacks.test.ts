import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createStacks } from "./stacks.ts";

const folder = mkdtempSync(join(tmpdir(), "parlando-maps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The first column of line 1 is line 3, column 5 of App.tsx.
writeFileSync(
  join(folder, "app-1.js.map"),
  JSON.stringify({ version: 3, sources: ["../../../src/web/App.tsx"], names: [], mappings: "AAEI" }),
);

test("places in built files become places in sources; others stay", () => {
  const stack = [
    "TypeError: no such button",
    "    at change (https://parlando.example/assets/app-1.js:1:10)",
    "https://parlando.example/assets/app-1.js:1:10",
    "    at other (https://parlando.example/assets/gone-2.js:1:10)",
    "    at https://elsewhere.example/script.js:1:1",
  ].join("\n");
  expect(createStacks(folder)(stack).split("\n")).toEqual([
    "TypeError: no such button",
    "    at change (src/web/App.tsx:3:5)",
    "(src/web/App.tsx:3:5)",
    "    at other (https://parlando.example/assets/gone-2.js:1:10)",
    "    at https://elsewhere.example/script.js:1:1",
  ]);
});

test("a place that no source made, such as the bundler's own code, stays", () => {
  // The first segment has no source.
  writeFileSync(
    join(folder, "app-2.js.map"),
    JSON.stringify({ version: 3, sources: ["../../../src/web/App.tsx"], names: [], mappings: "U,UAEI" }),
  );
  const line = "    at change (https://parlando.example/assets/app-2.js:1:15)";
  expect(createStacks(folder)(line)).toBe(line);
});

test("names that lead elsewhere, long stacks and missing maps do no harm", () => {
  const stacks = createStacks(folder);
  expect(stacks("at x (https://a/assets/../../etc/passwd.js:1:1)")).toContain("passwd");
  expect(stacks("line\n".repeat(10_000)).split("\n")).toHaveLength(30);
  expect(createStacks(null)("at (https://a/assets/app-1.js:1:1)")).toContain("app-1.js");
});
