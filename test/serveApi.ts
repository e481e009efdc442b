/** The calls alone as a process of their own, on a database file: what durability tests kill and benchmarks load. `node test/serveApi.ts`, settings from the environment. */
import { defaultVersion, isVersion, questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { buildApp } from "#server/app.ts";
import { readEnv } from "#server/env.ts";
import { migrate } from "#server/store/migrate.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const settings = readEnv(process.env);
mkdirSync(settings.dataDir, { recursive: true });
const store = openSqlite(join(settings.dataDir, "parlando.sqlite"));
await migrate(store, Date.now());
const app = await buildApp({
  settings,
  store,
  world: { now: Date.now, uuid: randomUUID, randomBytes },
  questionnaires: {
    versions,
    defaultVersion,
    questionnaireFor: (version, locale) => {
      if (!isVersion(version)) throw new Error(`There is no version ${version}`);
      return questionnaireFor(version, locale);
    },
  },
  payments: {
    entitlementExists: async () => false,
    offer: async () => null,
    open: async () => ({ kind: "not sold" }),
    providers: [],
    statusOf: async () => ({ status: "failed", purchase: null }),
    planOf: async () => null,
    changePlan: async () => null,
    cardPage: async () => null,
    mailLink: async () => {},
    entitlementsOf: async () => [],
    receive: async () => false,
    reconcile: async () => {},
    start: () => {},
    settled: async () => {},
    stop: async () => {},
  },
  mail: { wake: () => {} },
  site: { render: async () => ({ status: 404, html: "", cacheable: false, headers: {} }), scriptHashes: [] },
  buildDir: null,
});
console.log(await app.listen({ host: "127.0.0.1", port: settings.port }));
