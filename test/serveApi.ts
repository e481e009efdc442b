/**
 * The calls alone as a process of their own, on a database file or PostgreSQL: what durability tests kill and benchmarks load.
 * `node test/serveApi.ts`, settings from the environment. Payment providers that are configured cannot be reached: webhooks are all there is.
 */
import { defaultVersion, isVersion, questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { buildApp } from "#server/app.ts";
import { readEnv } from "#server/env.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const settings = readEnv(process.env);
mkdirSync(settings.dataDir, { recursive: true });
const store =
  settings.databaseUrl === null
    ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
    : openPostgres(settings.databaseUrl, (error) => console.error(error));
await migrate(store, Date.now());
const world = { now: Date.now, uuid: randomUUID, randomBytes };
const { paddle, paddleClassic } = settings;
/** Nobody listens there. */
const environment = "http://127.0.0.1:9";
const payments = createPayments({
  store,
  world,
  providers: [
    ...(paddle === null ? [] : [createPaddleBilling({ ...paddle, environment })]),
    ...(paddleClassic === null ? [] : [createPaddleClassic({ ...paddleClassic, environment, now: Date.now })]),
  ],
  log: { warn: () => {}, error: (details, message) => console.error(message, details) },
  secretKeys: settings.secretKeys,
  onMail: () => {},
});
const app = await buildApp({
  settings,
  store,
  world,
  questionnaires: {
    versions,
    defaultVersion,
    questionnaireFor: (version, locale) => {
      if (!isVersion(version)) throw new Error(`There is no version ${version}`);
      return questionnaireFor(version, locale);
    },
  },
  payments,
  mail: { wake: () => {} },
  site: { render: async () => ({ status: 404, html: "", cacheable: false, headers: {} }), scriptHashes: [] },
  buildDir: null,
});
const address = await app.listen({ host: "127.0.0.1", port: settings.port });
if (payments.providers.length > 0) payments.start();
console.log(address);
