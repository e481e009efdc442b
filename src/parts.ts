/** The parts of one process, made from its settings: `main.ts` runs them, `scripts/demo.ts` with a clock of its own. */
import { isVersionName, versionNames } from "#content/questionnaires/known.ts";
import { defaultVersion, questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { buildPath } from "#core/routes.ts";
import { createErasing } from "#server/accounts/erasing.ts";
import { createLinks } from "#server/mail/links.ts";
import { createRetention } from "#server/accounts/retention.ts";
import { buildApp } from "#server/app.ts";
import { createConversions } from "#server/conversions/conversions.ts";
import { destinationsOf } from "#server/conversions/destinations.ts";
import { EnvError } from "#server/env.ts";
import { createJourneyCopy } from "#server/events/clickhouse/copy.ts";
import { assetsBucketOf, shareAssets } from "#server/olderBuilds.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { PermanentMailFailure, smtpTransport } from "#server/mail/transport.ts";
import { createRounds } from "#server/base/rounds.ts";
import type { World } from "#server/base/world.ts";
import { classicStandinCatalogue, loadCatalogue, standinCatalogue, standinPriceId } from "#server/payments/catalogue.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import type { PaymentProvider } from "#server/payments/provider.ts";
import { shippedQuestionnaires } from "#server/releases/shipped.ts";
import { openCounters } from "#server/base/openCounters.ts";
import { namedBackend, type Settings } from "#server/base/settings.ts";
import { mailedOperatorLinks } from "#server/studio/operators/links.ts";
import { createKeptDays } from "#server/studio/funnel/keptDays.ts";
import { builtCode, fingerprintOf } from "#server/releases/builtCode.ts";
import { createWatch } from "#server/studio/operations/watch.ts";
import type { Clock } from "#server/store/clock.ts";
import { migrate, readMigrations } from "#server/store/migrate.ts";
import { withAuditLines } from "#server/store/auditLines.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import { countedIn, type Store } from "#server/store/store.ts";
import type { ClientConfig } from "#web/clientConfig.ts";
import { defaultClientConfig } from "#web/clientConfig.ts";
import { createSite } from "#web/site.ts";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Logger } from "pino";

/** Path of the learning app's stand-in. */
const appHostPrefix = "/standins/app";
const daily = 24 * 60 * 60 * 1000;
const bucketAtMostMs = 15_000;
const paddleScript = "https://cdn.paddle.com/paddle/v2/paddle.js";
const classicScript = "https://cdn.paddle.com/paddle/paddle.js";

/** Paddle, if keys are set; else its stand-in in this process. Production never loads a stand-in. */
async function paymentProvidersOf(settings: Settings, world: World) {
  const { paddle, paddleClassic: classic } = settings;
  if (paddle !== null) {
    const { apiKey, environment, webhookSecrets, clientToken, prices } = paddle;
    const providers: PaymentProvider[] = [createPaddleBilling({ apiKey, environment, webhookSecrets })];
    if (classic !== null) providers.push(createPaddleClassic({ ...classic, now: world.now }));
    const client: Pick<ClientConfig, "paddle" | "paddleClassic"> = {
      paddle: { token: clientToken, environment, script: paddleScript },
      paddleClassic:
        classic === null ? null : { vendor: Number(classic.vendorId), environment: classic.environment, script: classicScript },
    };
    return {
      providers,
      client,
      priceIdOf: (productId: string) => prices[productId] ?? classic?.products[productId] ?? null,
      standin: null,
    };
  }
  const { classicPrefix, createPaddleStandin, paddlePrefix } = await import("#standins/paddle/plugin.ts");
  const apiKey = randomBytes(24).toString("hex");
  const webhookSecret = randomBytes(24).toString("hex");
  const vendorId = "1";
  const here = `http://127.0.0.1:${settings.port}`;
  const standin = createPaddleStandin({
    ...standinCatalogue,
    apiKey,
    webhookSecret,
    webhookUrl: () => `${here}/api/webhooks/paddle-billing`,
    publicUrl: () => settings.publicUrl,
    returnPath: buildPath("questionnaire/post-purchase", "es-419", { version: defaultVersion["es-419"] }),
    dataFile: join(settings.dataDir, "paddle-standin.sqlite"),
    now: world.now,
    onFailure: (message) => console.warn(message),
    classic: { ...classicStandinCatalogue, vendorId, authCode: apiKey, webhookUrl: () => `${here}/api/webhooks/paddle-classic` },
  });
  return {
    providers: [
      createPaddleBilling({ apiKey, environment: `${here}${paddlePrefix}/api`, webhookSecrets: [webhookSecret] }),
      createPaddleClassic({
        vendorId,
        authCode: apiKey,
        publicKey: () => standin.classic?.publicKey ?? "",
        environment: `${here}${classicPrefix}/api`,
        now: world.now,
      }),
    ],
    client: { paddle: defaultClientConfig.paddle, paddleClassic: defaultClientConfig.paddleClassic },
    priceIdOf: standinPriceId,
    standin,
  };
}

/** SMTP, or without it the mailbox at `/dev/mail`. */
async function mailTransportOf(settings: Settings, world: World) {
  if (settings.smtpUrl !== null) return { transport: smtpTransport(settings.smtpUrl), mailbox: null };
  const { createMailbox } = await import("#standins/mailbox/mailbox.ts");
  const mailbox = createMailbox({
    dataFile: join(settings.dataDir, "mailbox.sqlite"),
    now: world.now,
    refusal: (says) => new PermanentMailFailure(says),
  });
  return { transport: mailbox.transport, mailbox };
}

/** The stand-in for the company's sign-in, if the settings name it as the issuer. */
async function companyStandinOf({ production, oidc, publicUrl }: Settings, world: World) {
  if (production || oidc === null || oidc.issuer !== `${publicUrl}/standins/oidc`) return null;
  const { createOidcStandin } = await import("#standins/oidc/plugin.ts");
  return createOidcStandin({ ...oidc, prefix: "/standins/oidc", now: world.now });
}

/** The stand-in for the learning app, if `APP_URL` is not set. */
async function appHostStandinOf({ appUrl }: Settings) {
  if (appUrl !== null) return null;
  const { createAppHostStandin } = await import("#standins/app-host/plugin.ts");
  return createAppHostStandin(appHostPrefix, defaultClientConfig.brand);
}

/** Checks that RAFFLE names known versions only. Throws `EnvError`. */
function checkRaffle({ raffle }: Settings): void {
  const unknown = [...new Set(Object.values(raffle).flatMap((weights) => Object.keys(weights)))].filter(
    (version) => !isVersionName(version),
  );
  if (unknown.length > 0) throw new EnvError([`RAFFLE must name known versions (${versionNames.join(", ")}), not ${unknown.join(", ")}.`]);
}

function openStore(settings: Settings, log: Logger): Store {
  const store = countedIn(
    settings.clickhouseUrl,
    settings.databaseUrl === null
      ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
      : openPostgres(settings.databaseUrl, (err) => log.warn({ err }, "A database connection was lost"), settings.reportDatabaseUrl),
  );
  return withAuditLines(store, (audit) => log.info({ audit }, "Audit"));
}

/** What renders pages and mails. */
function siteOf(settings: Settings, client: Partial<ClientConfig>) {
  const { conversions: _reports, ...outside } = settings.outside;
  return createSite({
    mode: settings.developing ? "development" : "production",
    client: {
      ...defaultClientConfig,
      ...client,
      examples: !settings.production,
      backends: [...settings.backends],
      appUrl: settings.appUrl ?? settings.publicUrl + appHostPrefix,
      outside,
      ...(settings.storeLinks === undefined ? {} : { storeLinks: settings.storeLinks }),
    },
    appLinks: settings.appLinks,
  });
}

/** Copies this build's files to the folder or bucket that processes of other builds also serve from. @returns the bucket, or null */
async function shareBuiltFiles(settings: Settings, world: World, log: Logger) {
  const { assetsDir } = settings;
  // Repeated daily, because files that no process has renewed for long are deleted.
  const sharing = createRounds(
    async () => void (assetsDir !== null && (await shareAssets(resolve("build"), assetsDir, world.now()))),
    (err) => log.error({ err }, "ASSETS_DIR cannot be written: pages of other builds may miss their files"),
  );
  const assetsBucket = assetsBucketOf(settings);
  const sharingInBucket = createRounds(
    async () => assetsBucket?.share(resolve("build"), world.now()),
    (err) => log.error({ err }, "ASSETS_BUCKET cannot be used: pages of other builds may miss their files"),
  );
  for (const rounds of [sharing, sharingInBucket]) rounds.start(daily);
  // Starting does not wait long for a bucket that does not answer.
  await Promise.all([sharing.running(), Promise.race([sharingInBucket.running(), world.wait(bucketAtMostMs)])]);
  return assetsBucket;
}

/** The process's periodic jobs, apart from mails and payments. */
function periodicJobsOf(settings: Settings, store: Store, world: World, log: Logger) {
  return {
    retention: createRetention({ store, world, log }),
    conversions: createConversions({
      store,
      world,
      destinations: destinationsOf(settings.outside.conversions, settings.publicUrl),
      fetch,
      log,
    }),
    keptDays: createKeptDays({ store, world, log, questionnaires: shippedQuestionnaires }),
    journeyCopy: createJourneyCopy({ store, world, log, url: settings.clickhouseUrl }),
  };
}

export interface PartsOptions {
  readonly world: World;
  /** Makes the clock, from the database's time. Called once the store is open. */
  readonly clockOf: (store: Store) => Promise<Clock>;
  readonly log: Logger;
  /** Whether the process is shutting down. */
  readonly ending: () => boolean;
}

export type Parts = Awaited<ReturnType<typeof createParts>>;

/**
 * Creates all parts of a process and migrates its database. Nothing listens yet, and no job has started except the sharing of built files.
 */
export async function createParts(settings: Settings, { world: machine, clockOf, log, ending }: PartsOptions) {
  checkRaffle(settings);
  mkdirSync(settings.dataDir, { recursive: true });
  const store = openStore(settings, log);
  const clock = await clockOf(store);
  const world: World = { ...machine, now: clock.now };
  await migrate(store, world.now(), readMigrations(store.dialect), (message) => log.info(message));

  const { providers, client, priceIdOf, standin } = await paymentProvidersOf(settings, world);
  const unpriced = await loadCatalogue(store, priceIdOf, world.now());
  if (unpriced.length > 0) log.warn({ products: unpriced }, "Products without a price at the provider are not sold");
  const site = await siteOf(settings, client);
  const appHost = await appHostStandinOf(settings);
  const company = await companyStandinOf(settings, world);
  const { transport, mailbox } = await mailTransportOf(settings, world);
  const mail = createMailer({
    store,
    world,
    publicUrl: settings.publicUrl,
    namedBackend: namedBackend(settings),
    mailFrom: settings.mailFrom,
    links: { ...createLinks(settings.secretKeys, world), ...mailedOperatorLinks(settings.secretKeys, settings.publicUrl) },
    renderMail: site.renderMail,
    transport,
    log,
  });
  const payments = createPayments({ store, world, providers, log, secretKeys: settings.secretKeys, onMail: mail.wake });
  const erasing = createErasing({ store, world, payments, log });

  const assetsBucket = await shareBuiltFiles(settings, world, log);
  const code = builtCode();
  const watch = createWatch({
    store,
    world,
    payments,
    fetch,
    log,
    onMail: mail.wake,
    code,
    content: fingerprintOf(versions.map((version) => JSON.stringify(questionnaireFor(version, "en-US")))),
  });
  const app = await buildApp({
    code,
    clock,
    counters: openCounters(settings, (err) => log.warn({ err }, "The shared counters of the rate limits are unavailable")),
    watch,
    settings,
    ending,
    world,
    store,
    questionnaires: shippedQuestionnaires,
    payments,
    mail,
    erasing,
    site,
    // The folder from which the site is rendered, too.
    buildDir: resolve("build"),
    assetsBucket,
    log,
    extensions: [standin?.plugin, mailbox?.plugin, appHost, company].filter((one) => one != null),
    ...(site.middleware ? { middleware: site.middleware } : {}),
  });
  return {
    app,
    world,
    clock,
    store,
    site,
    payments,
    mail,
    mailbox,
    erasing,
    ...periodicJobsOf(settings, store, world, log),
    watch,
    standin,
  };
}
