import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptAssets, moveMaps, restoreAssets } from "./assets.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "parlando-test-assets-")), "assets");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** Simulates a build: empties the folder and writes new files. */
function built(files: Readonly<Record<string, string>>) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

test("keeps the previous build's files for open pages, without changing the new ones", () => {
  built({ "app-1.js": "one", "react-1.js": "react" });
  const kept = keptAssets(folder);
  built({ "app-2.js": "two", "react-1.js": "react, built again" });
  restoreAssets(folder, kept);
  expect(Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))).toEqual({
    "app-1.js": "one",
    "app-2.js": "two",
    "react-1.js": "react, built again",
  });
});

test("deletes files of old builds", () => {
  built({ "app-1.js": "one", "app-2.js": "two" });
  utimesSync(join(folder, "app-1.js"), new Date("2020-01-01"), new Date("2020-01-01"));
  const kept = keptAssets(folder);
  built({ "app-3.js": "three" });
  restoreAssets(folder, kept);
  expect(readdirSync(folder)).toEqual(["app-2.js", "app-3.js"]);
});

test("moves source maps out of the public folder", () => {
  built({ "app-1.js": "one", "app-1.js.map": "{}" });
  const maps = join(folder, "..", "maps");
  moveMaps(folder, maps);
  expect([readdirSync(folder), readdirSync(maps)]).toEqual([["app-1.js"], ["app-1.js.map"]]);
});

test("keeps nothing at the first build", () => {
  expect(keptAssets(folder)).toBe(null);
});
