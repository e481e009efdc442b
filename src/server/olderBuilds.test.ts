/** Files of an earlier build, requested by pages that were open when it was replaced. */
import { createTestApp, testSettings } from "#test/app.ts";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEnv } from "#server/env.ts";
import { startS3 } from "#test/s3.ts";
import { assetsBucketOf, keptFor, shareAssets } from "./olderBuilds.ts";

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

it("two builds behind one load balancer serve each other's files, as long as a page may be open", async () => {
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

it("files that no process has shared for thirty days are deleted; files still shared stay, however old their build is", async () => {
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

it("without the folder, a process serves only its own files", async () => {
  const t = await createTestApp({ database: "sqlite", parts: { buildDir: build("alone") } });
  expect(testSettings().assetsDir).toBeNull();
  expect((await t.app.inject({ url: "/assets/client-alone.js" })).statusCode).toBe(200);
  expect((await t.app.inject({ url: "/assets/client-old.js" })).statusCode).toBe(404);
  await t.close();
});

it("a bucket works too: a file of another build is fetched when requested, and stays as long as a process shares it", async () => {
  const storage = await startS3();
  const dataDir = mkdtempSync(join(folder, "data-"));
  const settings = readEnv({ ...storage.env, DATA_DIR: dataDir, ASSETS_BUCKET: "s3://files/of/pages" }, () => "no key");
  let clock = 0;
  const bucket = assetsBucketOf(settings, () => clock);
  if (bucket === null) throw new Error("The settings name a bucket.");
  const t = await createTestApp({
    database: "sqlite",
    settings: { assetsDir: settings.assetsDir },
    parts: { buildDir: build("here"), assetsBucket: bucket },
  });
  const statusOf = async (url: string) => (await t.app.inject({ url })).statusCode;
  expect(await statusOf("/assets/client-there.js")).toBe(404);
  const there = build("there");
  await bucket.share(there, Date.now());
  clock += 60_000;
  for (const [url, body] of [
    ["/assets/client-there.js", "// client of there"],
    ["/studio/assets/studio-there.js", "// studio of there"],
  ] as const) {
    const [answer, same] = await Promise.all([t.app.inject({ url }), t.app.inject({ url })]);
    expect([answer.statusCode, answer.body, same.body]).toEqual([200, body, body]);
    expect((await t.app.inject({ url, headers: { "accept-encoding": "br" } })).body).toBe("compressed");
  }
  // A fetched file is served from this process. Made-up names cause few requests to the bucket.
  storage.asked.length = 0;
  expect(await statusOf("/assets/client-there.js")).toBe(200);
  for (let n = 0; n < 20; n++) expect(await statusOf(`/assets/client-${n}.js`)).toBe(404);
  expect(storage.asked).toEqual([]);

  const age = () => {
    for (const one of storage.objects.values()) one.modifiedAt = Date.now() - keptFor - 60_000;
  };
  const keys = () => [...storage.objects.keys()].filter((key) => key.startsWith("files/of/pages/client/")).toSorted();
  age();
  await bucket.share(there, Date.now());
  expect(keys()).toEqual(["files/of/pages/client/client-there.js", "files/of/pages/client/client-there.js.br"]);
  age();
  await bucket.share(build("later"), Date.now());
  expect(keys()).toEqual(["files/of/pages/client/client-later.js", "files/of/pages/client/client-later.js.br"]);

  await storage.close();
  clock += 60_000;
  expect(await statusOf("/assets/client-later.js")).toBe(404);
  expect(await statusOf("/assets/client-here.js")).toBe(200);
  await t.close();
});
