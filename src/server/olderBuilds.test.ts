/** Files of an earlier build, asked for by pages that were open when it was replaced. */
import { createTestApp, testSettings } from "#test/app.ts";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keptFor, shareAssets } from "./olderBuilds.ts";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "parlando-builds-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(name: string): string {
  const buildDir = join(folder, name);
  for (const part of ["client", "studio"]) {
    mkdirSync(join(buildDir, part, "assets"), { recursive: true });
    writeFileSync(join(buildDir, part, "assets", `${part}-${name}.js`), `// ${part} of ${name}`);
    writeFileSync(join(buildDir, part, "assets", `${part}-${name}.js.br`), "compressed");
  }
  return buildDir;
}

it("two builds behind one balancer serve each other's files, as long as a page may be open", async () => {
  const assetsDir = join(folder, "shared");
  const builds = [build("old"), build("new")];
  const now = Date.now();
  await Promise.all([...builds, ...builds].map((buildDir) => shareAssets(buildDir, assetsDir, now)));
  for (const buildDir of builds) {
    const t = await createTestApp({ database: "sqlite", settings: { assetsDir }, parts: { buildDir } });
    for (const name of ["old", "new"])
      for (const [url, body] of [
        [`/assets/client-${name}.js`, `// client of ${name}`],
        [`/studio/assets/studio-${name}.js`, `// studio of ${name}`],
      ] as const) {
        const answer = await t.app.inject({ url });
        expect([url, answer.statusCode, answer.body]).toEqual([url, 200, body]);
        expect(answer.headers["cache-control"]).toMatch(/immutable/);
        const compressed = await t.app.inject({ url, headers: { "accept-encoding": "br" } });
        expect([compressed.headers["content-encoding"], compressed.body]).toEqual(["br", "compressed"]);
      }
    expect((await t.app.inject({ url: "/assets/client-none.js" })).statusCode).toBe(404);
    await t.close();
  }
});

it("what no process has brought for so long goes; what one still brings stays, however old its build is", async () => {
  const assetsDir = join(folder, "kept");
  const [old, fresh] = [build("past"), build("present")];
  await shareAssets(old, assetsDir, Date.now());
  const long = new Date(Date.now() - keptFor - 1_000);
  const age = () => {
    for (const name of readdirSync(join(assetsDir, "client"))) utimesSync(join(assetsDir, "client", name), long, long);
  };
  age();
  await shareAssets(old, assetsDir, Date.now());
  expect(readdirSync(join(assetsDir, "client"))).toEqual(["client-past.js", "client-past.js.br"]);
  age();
  await shareAssets(fresh, assetsDir, Date.now());
  expect(readdirSync(join(assetsDir, "client"))).toEqual(["client-present.js", "client-present.js.br"]);
});

it("without the folder a process serves its own files alone", async () => {
  const t = await createTestApp({ database: "sqlite", parts: { buildDir: build("alone") } });
  expect(testSettings().assetsDir).toBeNull();
  expect((await t.app.inject({ url: "/assets/client-alone.js" })).statusCode).toBe(200);
  expect((await t.app.inject({ url: "/assets/client-old.js" })).statusCode).toBe(404);
  await t.close();
});
