/** The check of libraries, with npm itself and a registry that knows vulnerabilities. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";

const url = "https://github.com/advisories/GHSA-test-test-test";
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
const registry = createServer((request, response) => {
  const known = { leaky: [{ id: 1, url, title: "Leaks", severity: "high", vulnerable_versions: "<2.0.0" }] };
  response.setHeader("content-type", "application/json");
  if (request.method === "POST") response.end(JSON.stringify(known));
  else response.end(JSON.stringify({ name: "leaky", "dist-tags": {}, versions: { "1.0.0": { name: "leaky", version: "1.0.0" } } }));
});
let project: string;
beforeAll(async () => {
  await once(registry.listen(0, "127.0.0.1"), "listening");
  project = mkdtempSync(join(tmpdir(), "parlando-libraries-"));
  mkdirSync(join(project, "docs"));
  const root = { name: "site", version: "1.0.0", dependencies: { leaky: "1.0.0" } };
  writeFileSync(join(project, "package.json"), JSON.stringify(root));
  const packages = { "": root, "node_modules/leaky": { version: "1.0.0" } };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ ...root, lockfileVersion: 3, packages }));
});
afterAll(() => {
  registry.close();
  rmSync(project, { recursive: true, force: true });
});

it.each([
  ["is a fault while nobody has listed it", [], 1, "fault   leaky (high): Leaks"],
  ["waits while its time runs", [{ url, found: daysAgo(6), remedy: "update" }], 0, "waiting leaky (high): Leaks"],
  ["is a fault when its time is over", [{ url, found: daysAgo(8), remedy: "update" }], 1, "fault   leaky (high): Leaks"],
])("a known vulnerability %s", async (_, listed, code, says) => {
  writeFileSync(join(project, "docs/vulnerabilities.json"), JSON.stringify(listed));
  const address = registry.address() as AddressInfo;
  const program = spawn(process.execPath, [resolve("scripts/vulnerabilities.ts")], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: project, npm_config_registry: `http://127.0.0.1:${address.port}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [stdout, [exit]] = await Promise.all([text(program.stdout), once(program, "exit")]);
  expect([exit, stdout]).toEqual([code, expect.stringContaining(says)]);
});
