/**
 * Runs the API as a separate process, on a database file or PostgreSQL. Durability tests kill this process, and benchmarks put it under
 * load. Run `node test/serveApi.ts` with the server's settings in the environment. With SMTP_URL it sends mails; the text of each is only the
 * name of its template. More variables:
 * - PADDLE_AT, PADDLE_CLASSIC_AT: URLs of the providers' APIs. Without them only webhooks work.
 * - CONVERSIONS_AT: URL of the advertising networks; also runs retention.
 * - BUILD_DIR: serves the files of this folder.
 * - ROUNDS=all: also runs all other background work.
 * - CLOCK_AHEAD_MS: moves the clock ahead; each SIGUSR2 adds LEAP_MS.
 * - KILL_AT, KILL_AFTER: where the process kills itself (test/countedAwaits.ts).
 */
import { createErasing } from "#server/accounts/erasing.ts";
import { createRetention } from "#server/accounts/retention.ts";
import { buildApp } from "#server/app.ts";
import { createConversions } from "#server/conversions/conversions.ts";
import { destinationsOf } from "#server/conversions/destinations.ts";
import { startTracing } from "#server/base/traces.ts";
import { readEnv } from "#server/env.ts";
import { createLinks } from "#server/mail/links.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { smtpTransport } from "#server/mail/transport.ts";
import { createKeptDays } from "#server/studio/funnel/keptDays.ts";
import { createWatch } from "#server/studio/operations/watch.ts";
import { mailedOperatorLinks } from "#server/studio/operators/links.ts";
import { databaseClock } from "#server/store/clock.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { countAwaits } from "#test/countedAwaits.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { destination, pino } from "pino";

const settings = readEnv(process.env);
await startTracing(settings);
mkdirSync(settings.dataDir, { recursive: true });
const opened =
  settings.databaseUrl === null
    ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
    : openPostgres(settings.databaseUrl, (error) => console.error(error), settings.reportDatabaseUrl);
const { env } = process;
const log = pino({ level: "error" }, destination(2));
const clock = await databaseClock({ store: opened, world: { now: Date.now }, log });
await migrate(opened, clock.now());
let ahead = Number(env["CLOCK_AHEAD_MS"] ?? "0");
process.on("SIGUSR2", () => (ahead += Number(env["LEAP_MS"] ?? "0")));
const world = { now: () => clock.now() + ahead, uuid: randomUUID, randomBytes, wait: sleep };
const store = countAwaits(opened, Number(env["KILL_AT"] ?? "0"), env["KILL_AFTER"] ?? "");
const { paddle, paddleClassic } = settings;
const nobodyListens = "http://127.0.0.1:9";
const mail =
  settings.smtpUrl === null
    ? null
    : createMailer({
        store,
        world,
        publicUrl: settings.publicUrl,
        namedBackend: null,
        mailFrom: settings.mailFrom,
        links: { ...createLinks(settings.secretKeys, world), ...mailedOperatorLinks(settings.secretKeys, settings.publicUrl) },
        renderMail: async (template) => ({ subject: template, html: template, text: template, attachments: [] }),
        transport: smtpTransport(settings.smtpUrl),
        log,
      });
const wakeMail = () => mail?.wake();
const payments = createPayments({
  store,
  world,
  providers: [
    ...(paddle === null ? [] : [createPaddleBilling({ ...paddle, environment: env["PADDLE_AT"] ?? nobodyListens })]),
    ...(paddleClassic === null
      ? []
      : [createPaddleClassic({ ...paddleClassic, environment: env["PADDLE_CLASSIC_AT"] ?? nobodyListens, now: world.now })]),
  ],
  log,
  secretKeys: settings.secretKeys,
  onMail: wakeMail,
});
const erasing = createErasing({ store, world, payments, log: { error: (details, message) => console.error(message, details) } });
const watch = createWatch({ store, world, payments, fetch, log, onMail: wakeMail, code: "served", content: "" });
const app = await buildApp({
  settings,
  clock,
  watch,
  store,
  world,
  questionnaires: shippedQuestionnaires,
  payments,
  mail: mail ?? { wake: wakeMail, covered: async () => null },
  erasing,
  site: { render: async () => ({ status: 404, html: "", cacheable: false, headers: {} }), scriptHashes: [] },
  buildDir: env["BUILD_DIR"] ?? null,
});
const address = await app.listen({ host: "127.0.0.1", port: settings.port });
if (payments.providers.length > 0) payments.start();
erasing.start();
clock.start();
mail?.start();
if (env["ROUNDS"] === "all") {
  watch.start();
  const keptDays = createKeptDays({ store, world, log, questionnaires: shippedQuestionnaires, least: 1 });
  keptDays.start();
  // The leap in time expires the lease of the process that is counting. Without this, no process would count for five minutes.
  process.on("SIGUSR2", keptDays.wake);
}
const networks = env["CONVERSIONS_AT"];
if (networks !== undefined) {
  const [meta, tiktok] = ["meta", "tiktok"].map((name) => ({ pixelId: "1", token: "t", url: `${networks}/${name}` }));
  const destinations = destinationsOf({ meta: meta ?? null, tiktok: tiktok ?? null }, settings.publicUrl);
  createConversions({ store, world, destinations, fetch, log }).start();
  createRetention({ store, world, log }).start();
}
console.log(address);
