/** The build's files: what reads them, and what strangers' requests change for others. */
import { createTestApp, type TestApp } from "#test/app.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** Counts how often a folder is read. It must replace the function before the server's libraries take it. */
const folders = vi.hoisted(() => {
  const files = process.getBuiltinModule("node:fs/promises");
  const { readdir } = files;
  const counted = { read: 0 };
  Object.assign(files, {
    readdir: (...asked: Parameters<typeof readdir>) => {
      counted.read += 1;
      return readdir(...asked);
    },
  });
  return counted;
});

let t: TestApp;
let buildDir: string;
beforeEach(async () => {
  buildDir = mkdtempSync(join(tmpdir(), "parlando-build-"));
  mkdirSync(join(buildDir, "client/assets"), { recursive: true });
  mkdirSync(join(buildDir, "media"));
  for (const [ending, text] of Object.entries({ "": "plain", ".br": "brotli", ".gz": "gzip" }))
    writeFileSync(join(buildDir, `client/assets/app-abc123.js${ending}`), text);
  writeFileSync(join(buildDir, "media/logo@2x.png"), "png");
  t = await createTestApp({ database: "sqlite", parts: { buildDir } });
});
afterEach(async () => {
  await t.close();
  rmSync(buildDir, { recursive: true, force: true });
});
const script = "/assets/app-abc123.js";

it("no request makes the server read the folder of all files", async () => {
  const statusOf = async (url: string, asked: { readonly method?: "HEAD"; readonly headers?: Record<string, string> } = {}) =>
    (await t.app.inject({ url, ...asked })).statusCode;
  folders.read = 0;
  expect(await statusOf(script)).toBe(200);
  expect(await statusOf("/assets/%61pp-abc123.js")).toBe(200);
  expect(await statusOf(script, { method: "HEAD" })).toBe(200);
  expect(await statusOf(script, { headers: { range: "bytes=0-" } })).toBe(206);
  expect(await statusOf("/media/logo@2x.png")).toBe(200);
  for (const url of ["/assets/none.js", "/assets/none", "/assets/", "/assets/a/b.js", "/media/none.png"])
    expect([url, await statusOf(url, { headers: { "accept-encoding": "br, gzip" } })]).toEqual([url, 404]);
  expect(folders.read).toBe(0);
});

it.each([
  ["gzip, BR", "gzip", "gzip"],
  ["identity, GZIP", "identity", "plain"],
  ["BR", undefined, "plain"],
])("a request that accepts %j changes nothing for one that accepts %j", async (stranger, own, text) => {
  const bodyFor = async (accepted: string | undefined) =>
    (await t.app.inject({ url: script, headers: accepted === undefined ? {} : { "accept-encoding": accepted } })).body;
  await bodyFor(stranger);
  expect(await bodyFor(own)).toBe(text);
});
