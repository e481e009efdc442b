/** Environment → services → listen. The only file that sees both the site and the server. */
import { isVersionName, versionNames } from "#content/questionnaires/known.ts";
import { defaultVersion, isVersion, questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { buildPath } from "#core/routes.ts";
import { createErasing } from "#server/accounts/erasing.ts";
import { createLinks } from "#server/accounts/links.ts";
import { createRetention } from "#server/accounts/retention.ts";
import { buildApp } from "#server/app.ts";
import { createConversions } from "#server/conversions/conversions.ts";
import { destinationsOf } from "#server/conversions/destinations.ts";
import { EnvError, readEnv } from "#server/env.ts";
import { logDestination, loggerOptions } from "#server/logging.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { smtpTransport } from "#server/mail/transport.ts";
import type { Questionnaires } from "#server/base/questionnaires.ts";
import type { World } from "#server/base/world.ts";
import { classicStandinCatalogue, loadCatalogue, standinCatalogue, standinPriceId } from "#server/payments/catalogue.ts";
import { createPaddleBilling } from "#server/payments/paddleBilling.ts";
import { createPaddleClassic } from "#server/payments/paddleClassic.ts";
import { createPayments } from "#server/payments/payments.ts";
import type { PaymentProvider } from "#server/payments/provider.ts";
import type { Settings } from "#server/base/settings.ts";
import { firstLink } from "#server/studio/operators/first.ts";
import { mailedOperatorLinks } from "#server/studio/operators/links.ts";
import { migrate } from "#server/store/migrate.ts";
import { openPostgres } from "#server/store/postgres.ts";
import { openSqlite } from "#server/store/sqlite.ts";
import type { ClientConfig } from "#web/clientConfig.ts";
import { defaultClientConfig } from "#web/clientConfig.ts";
import { createSite } from "#web/site.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { sentencesOf } from "./startFailure.ts";

/** A process that was told to end has ended after this, ms. */
const endsWithinMs = 29_000;
/** Answers under way when the port closes are cut off after this, ms: what stops after them needs its time too. */
const slowestAnswerMs = 8_000;
/** Where the learning app's host is stood in for. */
const appHostPrefix = "/standins/app";
const paddleScript = "https://cdn.paddle.com/paddle/v2/paddle.js";
const classicScript = "https://cdn.paddle.com/paddle/paddle.js";

// Databases, mails and keys are for nobody else on this machine.
process.umask(0o077);

const world: World = { now: Date.now, uuid: randomUUID, randomBytes, wait: sleep };

const questionnaires: Questionnaires = {
  versions,
  defaultVersion,
  questionnaireFor: (version, locale) => {
    if (!isVersion(version)) throw new Error(`There is no version ${version}`);
    return questionnaireFor(version, locale);
  },
};

/** Everything inside the site's own process, unless real keys are given. Production never loads a stand-in. */
async function paymentProvidersOf(settings: Settings) {
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
async function mailTransportOf(settings: Settings) {
  if (settings.smtpUrl !== null) return { transport: smtpTransport(settings.smtpUrl), mailbox: null };
  const { createMailbox } = await import("#standins/mailbox/mailbox.ts");
  const mailbox = createMailbox({ dataFile: join(settings.dataDir, "mailbox.sqlite"), now: world.now });
  return { transport: mailbox.transport, mailbox };
}

function checkRaffle({ raffle }: Settings): void {
  const unknown = [...new Set(Object.values(raffle).flatMap((weights) => Object.keys(weights)))].filter(
    (version) => !isVersionName(version),
  );
  if (unknown.length > 0)
    throw new EnvError([`RAFFLE must name versions that there are (${versionNames.join(", ")}), not ${unknown.join(", ")}.`]);
}

async function start(settings: Settings): Promise<void> {
  mkdirSync(settings.dataDir, { recursive: true });
  const log = pino(loggerOptions(settings), logDestination());
  const store =
    settings.databaseUrl === null
      ? openSqlite(join(settings.dataDir, "parlando.sqlite"))
      : openPostgres(settings.databaseUrl, (err) => log.warn({ err }, "A database connection was lost"));
  await migrate(store, world.now());

  const { providers, client, priceIdOf, standin } = await paymentProvidersOf(settings);
  const unpriced = await loadCatalogue(store, priceIdOf);
  if (unpriced.length > 0) log.warn({ products: unpriced }, "Products without a price at the provider are not sold");
  const { conversions: reports, ...outside } = settings.outside;
  const site = await createSite({
    mode: settings.developing ? "development" : "production",
    client: {
      ...defaultClientConfig,
      ...client,
      backends: [...settings.backends],
      appUrl: settings.appUrl ?? settings.publicUrl + appHostPrefix,
      outside,
      ...(settings.storeLinks === undefined ? {} : { storeLinks: settings.storeLinks }),
    },
    appLinks: settings.appLinks,
  });
  const appHost =
    settings.appUrl === null
      ? (await import("#standins/app-host/plugin.ts")).createAppHostStandin(appHostPrefix, defaultClientConfig.brand)
      : null;
  const { transport, mailbox } = await mailTransportOf(settings);
  const mail = createMailer({
    store,
    world,
    publicUrl: settings.publicUrl,
    mailFrom: settings.mailFrom,
    links: { ...createLinks(settings.secretKeys, world), ...mailedOperatorLinks(settings.secretKeys, settings.publicUrl) },
    renderMail: site.renderMail,
    transport,
    log,
  });
  const payments = createPayments({ store, world, providers, log, secretKeys: settings.secretKeys, onMail: mail.wake });
  const erasing = createErasing({ store, world, payments, log });

  let ending = false;
  const app = await buildApp({
    settings,
    ending: () => ending,
    world,
    store,
    questionnaires,
    payments,
    mail,
    erasing,
    site,
    // As the site, which is rendered from the same folder.
    buildDir: resolve("build"),
    log,
    extensions: [...(standin ? [standin.plugin] : []), ...(mailbox ? [mailbox.plugin] : []), ...(appHost ? [appHost] : [])],
    ...(site.middleware ? { middleware: site.middleware } : {}),
  });
  const address = await app.listen({ host: settings.host, port: settings.port });
  payments.start();
  mail.start();
  erasing.start();
  const retention = createRetention({ store, world, log });
  retention.start();
  const conversions = createConversions({
    store,
    world,
    destinations: destinationsOf(reports, settings.publicUrl),
    fetch,
    log,
  });
  conversions.start();

  console.log(`Parlando:  ${settings.publicUrl}`);
  if (settings.smtpUrl === null) console.log(`Mailbox:   ${settings.publicUrl}/dev/mail`);
  if (standin) console.log(`Payments:  ${settings.publicUrl}/standins/paddle (stand-in)`);
  console.log(`Studio:    ${settings.publicUrl}/studio`);
  // In production its log is read by others: there `npm run studio -- invite` makes the link.
  const first = settings.production ? null : await firstLink({ store, world, settings });
  if (first !== null) console.log(`           ${first} makes you its first operator, once`);
  log.info({ address }, "Listening");

  const end = async (signal: string) => {
    if (ending) return;
    ending = true;
    log.info({ signal }, "Ending");
    // What does not end by itself in time has acknowledged nothing that is not durable.
    setTimeout(() => process.exit(1), endsWithinMs).unref();
    // Balancers see that it is not ready before the port closes.
    await sleep(settings.drainMs);
    setTimeout(() => app.server.closeAllConnections(), slowestAnswerMs).unref();
    let failed = false;
    for (const [part, stop] of [
      ["app", () => app.close()],
      // Each may wait for an answer from outside; payments may leave mails behind.
      ["reports, payments, erasing, retention", () => Promise.all([conversions.stop(), payments.stop(), erasing.stop(), retention.stop()])],
      ["mail", mail.stop],
      ["stand-in", () => standin?.close()],
      ["site", site.close],
      ["store", store.close],
    ] as const) {
      try {
        await stop();
      } catch (err) {
        failed = true;
        log.error({ err, part }, "A part did not stop");
      }
    }
    process.exit(failed ? 1 : 0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(signal));
}

let settings: Settings | null = null;
try {
  settings = readEnv(process.env);
  checkRaffle(settings);
  await start(settings);
} catch (error) {
  for (const sentence of sentencesOf(error, settings)) process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
