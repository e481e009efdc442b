/** The only place that reads the environment. Schemas check it; each wrong value gives one clear sentence. */
import { loopbackHosts } from "#core/links.ts";
import { locales } from "#core/locales.ts";
import { chatVendors } from "#core/outside.ts";
import { createPublicKey, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { readS3Place } from "./base/s3.ts";
import { isLimitName, limitRuleSchema } from "./base/limits.ts";
import type { Settings } from "./base/settings.ts";

/** One sentence per wrong value. `main.ts` prints them and exits with 1. */
export class EnvError extends Error {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join("\n"));
    this.name = "EnvError";
    this.sentences = sentences;
  }
}

const minSecretLength = 32;
const productionDrainMs = 5_000;
const guessable = /secret|change|default|example|password/i;
const leastDifferent = 10;
/** Whether a key is guessable: it repeats a short piece, has few different characters, or contains an example's words. */
const isWeak = (secret: string): boolean =>
  guessable.test(secret) || new Set(secret).size < leastDifferent || `${secret}${secret}`.indexOf(secret, 1) < secret.length;

function withoutSlashesAtEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

const isLoopback = (url: URL) => loopbackHosts.has(url.hostname);
/** Checks an address: no user, query or fragment, and `https` except on this machine. Returns the problem or null. */
function addressProblem(value: string, allowPath: boolean): string | null {
  if (!URL.canParse(value)) return "must be an address such as https://parlando.example";
  const url = new URL(value);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
    return "must start with https:// (http:// only for this machine)";
  if (url.username || url.password || url.search || url.hash) return "must have no user, query or fragment";
  if (!allowPath && url.pathname !== "/") return "must have no path";
  return null;
}
function address(allowPath: boolean) {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const problem = addressProblem(dataset.value, allowPath);
      if (problem === null) return withoutSlashesAtEnd(dataset.value);
      addIssue({ message: problem });
      return NEVER;
    }),
  );
}
/** Decodes a percent-encoded header value, as OpenTelemetry allows; returns it unchanged if it is not encoded. */
function literally(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
function list<T extends v.GenericSchema<string, string>>(item: T) {
  return v.pipe(
    v.string(),
    v.transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    ),
    v.array(item),
  );
}
function wholeNumber(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.string(), v.regex(/^\d{1,9}$/, sentence), v.transform(Number), v.minValue(min, sentence), v.maxValue(max, sentence));
}
function startsWith(...protocols: readonly string[]) {
  return v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}`,
    ),
  );
}
function json<T extends v.GenericSchema>(schema: T, sentence: string) {
  return v.pipe(v.string(), v.parseJson({}, sentence), v.config(schema, { message: sentence }));
}
const filled = v.pipe(v.string(), v.nonEmpty("must not be empty"));
const raffleSentence = 'must be JSON such as {"es-419":{"76":3,"83":1}}: whole weights by locale and version';
const pricesSentence = 'must be JSON such as {"subscription-3m-mxn":"pri_01"}: Paddle\'s price by our product';
const classicSentence = 'must be JSON such as {"subscription-3m-mxn-classic":"123456"}: Paddle Classic\'s product by ours';
function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
const limitsSentence = 'must be JSON such as {"signup.network":{"points":20,"seconds":3600}}: limits by their name';

const variables = v.object({
  /** Unset behaves like `npm start`: the built site, with all stand-ins. */
  NODE_ENV: v.optional(v.picklist(["development", "production", "test"], "must be development, production, test or not set")),
  HOST: v.optional(filled),
  PORT: v.optional(wholeNumber(0, 65_535), "3000"),
  DATA_DIR: v.optional(filled, "./data"),
  ASSETS_DIR: v.optional(filled),
  ASSETS_BUCKET: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const place = readS3Place(dataset.value);
        if (place !== null) return { ...place, key: withoutSlashesAtEnd(place.key) };
        addIssue({ message: "must be a bucket such as s3://parlando-files or s3://parlando-files/assets" });
        return NEVER;
      }),
    ),
  ),
  S3_ENDPOINT: v.optional(address(false)),
  S3_REGION: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/, "must be a region such as eu-central-1")), "us-east-1"),
  S3_ACCESS_KEY_ID: v.optional(filled),
  S3_SECRET_ACCESS_KEY: v.optional(filled),
  PUBLIC_URL: v.optional(address(false)),
  BACKEND_URL: v.optional(address(true)),
  BACKENDS: v.optional(list(address(true)), ""),
  ALLOWED_ORIGINS: v.optional(list(address(false)), ""),
  DATABASE_URL: v.optional(startsWith("postgres:", "postgresql:")),
  REPORT_DATABASE_URL: v.optional(startsWith("postgres:", "postgresql:")),
  CLICKHOUSE_URL: v.optional(startsWith("http:", "https:")),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(?:rediss?|redis\+sentinel|redis\+cluster):\/\/\S+$/,
        "must be an address that starts with redis://, rediss://, redis+sentinel:// or redis+cluster://",
      ),
    ),
  ),
  PROCESSES: v.optional(wholeNumber(1, 1_000), "2"),
  SMTP_URL: v.optional(startsWith("smtp:", "smtps:")),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[^\r\n@<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address such as "Parlando <info@parlando.example>"'),
    ),
    "Parlando <info@parlando.example>",
  ),
  PADDLE_ENVIRONMENT: v.optional(v.picklist(["sandbox", "production"], "must be sandbox or production"), "sandbox"),
  PADDLE_API_KEY: v.optional(filled),
  PADDLE_CLIENT_TOKEN: v.optional(filled),
  PADDLE_WEBHOOK_SECRET: v.optional(
    v.pipe(
      list(filled),
      v.minLength(1, "must hold one secret, or two while one is being replaced"),
      v.maxLength(2, "must hold one secret, or two while one is being replaced"),
    ),
  ),
  PADDLE_PRICES: v.optional(json(v.record(v.string(), v.string()), pricesSentence), "{}"),
  APP_URL: v.optional(address(true)),
  STORE_LINK_ANDROID: v.optional(startsWith("https:")),
  STORE_LINK_APPLE: v.optional(startsWith("https:")),
  APPLE_APP_IDS: v.optional(
    list(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}\.[\w.-]+$/, "must hold ids such as ABCDE12345.com.example.app"))),
    "",
  ),
  ANDROID_APP: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, "must be a package name such as com.example.app"))),
  ANDROID_FINGERPRINTS: v.optional(
    list(
      v.pipe(v.string(), v.regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/, "must hold SHA-256 fingerprints such as 14:6D:E9:…, 32 pairs each")),
    ),
    "",
  ),
  PADDLE_CLASSIC_VENDOR_ID: v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}$/, "must be the vendor's number"))),
  PADDLE_CLASSIC_AUTH_CODE: v.optional(filled),
  /** PEM. Its lines may be joined by \n, as in compose files. */
  PADDLE_CLASSIC_PUBLIC_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.replaceAll("\\n", "\n")),
      v.check(isPublicKey, "must be the vendor's public key (PEM)"),
    ),
  ),
  PADDLE_CLASSIC_PRODUCTS: v.optional(json(v.record(v.string(), v.string()), classicSentence), "{}"),
  TAG_MANAGER_ID: v.optional(v.pipe(v.string(), v.regex(/^GTM-[A-Z0-9]+$/, "must be a container such as GTM-ABC123"))),
  ANALYTICS_ID: v.optional(v.pipe(v.string(), v.regex(/^G-[A-Z0-9]+$/, "must be a measurement id such as G-ABC123"))),
  BRAZE_KEY: v.optional(filled),
  BRAZE_URL: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+\.braze\.(com|eu)$/, "must be a host such as sdk.fra-01.braze.eu"))),
  CHAT_VENDOR: v.optional(v.picklist(chatVendors, "must be zendesk, intercom, crisp or freshchat")),
  CHAT_KEY: v.optional(filled),
  META_PIXEL_ID: v.optional(filled),
  META_TOKEN: v.optional(filled),
  META_URL: v.optional(address(true), "https://graph.facebook.com/v24.0"),
  TIKTOK_PIXEL_ID: v.optional(filled),
  TIKTOK_TOKEN: v.optional(filled),
  TIKTOK_URL: v.optional(address(true), "https://business-api.tiktok.com/open_api/v1.3"),
  COUNTRY_HEADER: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9-]*$/, "must be the name of a header such as CF-IPCountry"), v.toLowerCase()),
  ),
  PROXY_HOPS: v.optional(wholeNumber(0, 10), "0"),
  SECRET_KEYS: v.optional(
    v.pipe(
      list(
        v.pipe(
          v.string(),
          v.minLength(minSecretLength, `must hold keys of at least ${minSecretLength} characters`),
          v.check((key) => !isWeak(key), "must hold random keys, not a default"),
        ),
      ),
      v.minLength(1, "must hold one key, or two while one is being replaced"),
      v.maxLength(2, "must hold one key, or two while one is being replaced"),
    ),
  ),
  REPORTING_CURRENCY: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "must be a currency's three letters, such as EUR")), "EUR"),
  STUDIO_OIDC_ISSUER: v.optional(address(true)),
  STUDIO_OIDC_CLIENT_ID: v.optional(filled),
  STUDIO_OIDC_CLIENT_SECRET: v.optional(filled),
  STUDIO_OIDC_NAME: v.optional(filled, "your company account"),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, "must be at least 16 characters long"))),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(v.pipe(startsWith("http:", "https:"), v.transform(withoutSlashesAtEnd))),
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(
    v.pipe(
      list(v.pipe(v.string(), v.regex(/^[\w-]+=[^\r\n]+$/, "must hold headers such as api-key=value, comma-separated"))),
      v.transform((pairs) =>
        Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), literally(pair.slice(pair.indexOf("=") + 1))])),
      ),
    ),
    "",
  ),
  OTEL_SERVICE_NAME: v.optional(filled, "parlando"),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(?:0(?:\.\d{1,6})?|1)$/, "must be a share from 0 to 1 such as 0.1"), v.transform(Number)),
    "1",
  ),
  RAFFLE: v.optional(
    json(v.record(v.picklist(locales), v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0)))), raffleSentence),
    "{}",
  ),
  LIMITS: v.optional(
    v.pipe(
      json(v.record(v.string(), limitRuleSchema), limitsSentence),
      v.check(
        (limits) => Object.keys(limits).every(isLimitName),
        ({ input }) => `names no limit of src/server/base/limits.ts: ${Object.keys(input).find((name) => !isLimitName(name))}`,
      ),
    ),
    "{}",
  ),
  BUSY_AFTER_MS: v.optional(wholeNumber(0, 60_000), "1000"),
  DRAIN_MS: v.optional(wholeNumber(0, 10_000)),
  LOG_LEVEL: v.optional(
    v.picklist(["fatal", "error", "warn", "info", "debug", "silent"], "must be fatal, error, warn, info, debug or silent"),
  ),
});

/** The default HOST. Outside production only this machine can connect, because stand-ins and mailbox are for it alone. */
const hosts = { production: "0.0.0.0", elsewhere: "127.0.0.1" } as const;

/** Variables whose values are never printed, even when wrong. An address may hold a password. */
const mayHoldSecret = /SECRET|TOKEN|KEY|CODE|_URL|OTLP/;

/** Every variable that is read; `docs/settings.md` explains each. */
export const variableNames: readonly string[] = Object.keys(variables.entries);

type Values = v.InferOutput<typeof variables>;

/** Parses the variables. Throws EnvError. */
function valuesIn(env: Readonly<Record<string, string | undefined>>): Values {
  // Compose files and shells leave a variable out by setting it empty.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = v.safeParse(variables, given);
  if (!parsed.success) {
    const sentences = new Map<string, string>();
    for (const issue of parsed.issues) {
      const name = String(issue.path?.[0]?.key);
      if (!sentences.has(name))
        sentences.set(name, `${name} ${issue.message}, but is ${mayHoldSecret.test(name) ? "not" : JSON.stringify(given[name])}.`);
    }
    throw new EnvError([...sentences.values()]);
  }
  return parsed.output;
}

/** The names that are not set. */
const missing = (keys: Readonly<Record<string, unknown>>) =>
  Object.entries(keys).flatMap(([name, value]) => (value === undefined ? [name] : []));
const missingPaddleOf = (values: Values) =>
  missing({
    PADDLE_API_KEY: values.PADDLE_API_KEY,
    PADDLE_CLIENT_TOKEN: values.PADDLE_CLIENT_TOKEN,
    PADDLE_WEBHOOK_SECRET: values.PADDLE_WEBHOOK_SECRET,
  });
/** Pairs of variables that must be set together or not at all. */
const pairs = [
  ["BRAZE_KEY", "BRAZE_URL"],
  ["CHAT_VENDOR", "CHAT_KEY"],
  ["META_PIXEL_ID", "META_TOKEN"],
  ["TIKTOK_PIXEL_ID", "TIKTOK_TOKEN"],
  ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["STUDIO_OIDC_ISSUER", "STUDIO_OIDC_CLIENT_ID"],
  ["STUDIO_OIDC_ISSUER", "STUDIO_OIDC_CLIENT_SECRET"],
] as const;

/** Combinations of variables that are wrong in every environment. */
function contradictionsIn(values: Values): readonly string[] {
  const missingPaddle = missingPaddleOf(values);
  const missingClassic = missing({
    PADDLE_CLASSIC_VENDOR_ID: values.PADDLE_CLASSIC_VENDOR_ID,
    PADDLE_CLASSIC_AUTH_CODE: values.PADDLE_CLASSIC_AUTH_CODE,
    PADDLE_CLASSIC_PUBLIC_KEY: values.PADDLE_CLASSIC_PUBLIC_KEY,
  });
  return [
    ...(missingClassic.length === 1 || missingClassic.length === 2
      ? [`${missingClassic.join(" and ")} must be set as well: Paddle Classic needs all three.`]
      : []),
    ...pairs.flatMap(([a, b]) => ((values[a] === undefined) === (values[b] === undefined) ? [] : [`${a} and ${b} must be set together.`])),
    ...((values.ANDROID_APP === undefined) === (values.ANDROID_FINGERPRINTS.length === 0)
      ? []
      : ["ANDROID_APP and ANDROID_FINGERPRINTS must be set together: an app is known by both."]),
    ...(values.ASSETS_BUCKET !== undefined && values.S3_ACCESS_KEY_ID === undefined
      ? ["ASSETS_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY."]
      : []),
    ...(values.REPORT_DATABASE_URL !== undefined && values.DATABASE_URL === undefined
      ? ["REPORT_DATABASE_URL is a standby of DATABASE_URL, which must be set as well."]
      : []),
    ...(missingPaddle.length === 1 || missingPaddle.length === 2
      ? [`${missingPaddle.join(" and ")} must be set as well: Paddle needs all three keys.`]
      : []),
    ...(isLive(values) && !(values.NODE_ENV === "production" && values.SMTP_URL !== undefined)
      ? [
          "Paddle's live keys need production and SMTP_URL: anywhere else, whoever reads the mailbox can open every account. Use sandbox keys.",
        ]
      : []),
  ];
}

/** What production requires in addition. */
function missingForProduction(values: Values): readonly string[] {
  return [
    ...(values.SECRET_KEYS === undefined
      ? ["SECRET_KEYS must be set in production: one random key of at least 32 characters, or two while one is being replaced."]
      : []),
    ...(values.PUBLIC_URL === undefined ? ["PUBLIC_URL must be set in production: the site's address as visitors see it."] : []),
    ...(values.SMTP_URL === undefined ? ["SMTP_URL must be set in production: the mailbox page is for development only."] : []),
    ...(missingPaddleOf(values).length === 3
      ? ["PADDLE_API_KEY, PADDLE_CLIENT_TOKEN and PADDLE_WEBHOOK_SECRET must be set in production: the stand-in is for development only."]
      : []),
    ...[["PUBLIC_URL", values.PUBLIC_URL], ["BACKEND_URL", values.BACKEND_URL], ...values.BACKENDS.map((url) => ["BACKENDS", url])].flatMap(
      ([name, url]) => (url !== undefined && isLoopback(new URL(url)) ? [`${name} must not be this machine in production.`] : []),
    ),
  ];
}

function paddleOf(values: Values): Settings["paddle"] {
  const { PADDLE_API_KEY: apiKey, PADDLE_CLIENT_TOKEN: clientToken, PADDLE_WEBHOOK_SECRET: webhookSecrets } = values;
  return apiKey !== undefined && clientToken !== undefined && webhookSecrets !== undefined
    ? { environment: values.PADDLE_ENVIRONMENT, apiKey, clientToken, webhookSecrets, prices: values.PADDLE_PRICES }
    : null;
}

function classicOf(values: Values): Settings["paddleClassic"] {
  return values.PADDLE_CLASSIC_VENDOR_ID !== undefined &&
    values.PADDLE_CLASSIC_AUTH_CODE !== undefined &&
    values.PADDLE_CLASSIC_PUBLIC_KEY !== undefined
    ? {
        environment: values.PADDLE_ENVIRONMENT,
        vendorId: values.PADDLE_CLASSIC_VENDOR_ID,
        authCode: values.PADDLE_CLASSIC_AUTH_CODE,
        publicKey: values.PADDLE_CLASSIC_PUBLIC_KEY,
        products: values.PADDLE_CLASSIC_PRODUCTS,
      }
    : null;
}

function outsideOf(values: Values): Settings["outside"] {
  return {
    tagManager: values.TAG_MANAGER_ID ?? null,
    analytics: values.ANALYTICS_ID ?? null,
    braze: both(values.BRAZE_KEY, values.BRAZE_URL, (key, baseUrl) => ({ key, baseUrl })),
    chat: both(values.CHAT_VENDOR, values.CHAT_KEY, (vendor, key) => ({ vendor, key })),
    conversions: {
      meta: both(values.META_PIXEL_ID, values.META_TOKEN, (pixelId, token) => ({ pixelId, token, url: values.META_URL })),
      tiktok: both(values.TIKTOK_PIXEL_ID, values.TIKTOK_TOKEN, (pixelId, token) => ({ pixelId, token, url: values.TIKTOK_URL })),
    },
  };
}

function oidcOf(values: Values): Settings["oidc"] {
  return values.STUDIO_OIDC_ISSUER !== undefined &&
    values.STUDIO_OIDC_CLIENT_ID !== undefined &&
    values.STUDIO_OIDC_CLIENT_SECRET !== undefined
    ? {
        issuer: values.STUDIO_OIDC_ISSUER,
        clientId: values.STUDIO_OIDC_CLIENT_ID,
        clientSecret: values.STUDIO_OIDC_CLIENT_SECRET,
        name: values.STUDIO_OIDC_NAME,
      }
    : null;
}

/** Reads the settings from an environment. `keptSecret` gives development's own stored key; production must be given its keys. Throws EnvError. */
export function readEnv(env: Readonly<Record<string, string | undefined>>, keptSecret: (dataDir: string) => string = secretIn): Settings {
  const values = valuesIn(env);
  const production = values.NODE_ENV === "production";
  const sentences = [...contradictionsIn(values), ...(production ? missingForProduction(values) : [])];
  if (sentences.length > 0) throw new EnvError(sentences);

  const dataDir = resolve(values.DATA_DIR);
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const backendUrl = values.BACKEND_URL ?? `${publicUrl}/api`;
  const [firstKey = keptSecret(dataDir), ...olderKeys] = values.SECRET_KEYS ?? [];
  return {
    production,
    developing: values.NODE_ENV === "development",
    host: values.HOST ?? (production ? hosts.production : hosts.elsewhere),
    port: values.PORT,
    dataDir,
    exampleData: existsSync(join(dataDir, demoMark)),
    assetsDir:
      values.ASSETS_DIR !== undefined ? resolve(values.ASSETS_DIR) : values.ASSETS_BUCKET === undefined ? null : join(dataDir, "assets"),
    assetsBucket: values.ASSETS_BUCKET ?? null,
    s3: both(values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY, (accessKeyId, secretAccessKey) => ({
      endpoint: values.S3_ENDPOINT ?? `https://s3.${values.S3_REGION}.amazonaws.com`,
      region: values.S3_REGION,
      accessKeyId,
      secretAccessKey,
    })),
    publicUrl,
    backendUrl,
    backends: [...new Set([backendUrl, ...values.BACKENDS])],
    allowedOrigins: values.ALLOWED_ORIGINS,
    databaseUrl: values.DATABASE_URL ?? null,
    reportDatabaseUrl: values.REPORT_DATABASE_URL ?? null,
    clickhouseUrl: values.CLICKHOUSE_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    processes: values.PROCESSES,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    appUrl: values.APP_URL ?? (production ? appHostOf(publicUrl) : null),
    storeLinks:
      values.STORE_LINK_ANDROID === undefined && values.STORE_LINK_APPLE === undefined
        ? undefined
        : { android: values.STORE_LINK_ANDROID ?? null, apple: values.STORE_LINK_APPLE ?? null },
    appLinks: {
      appleAppIds: values.APPLE_APP_IDS,
      android: values.ANDROID_APP === undefined ? null : { packageName: values.ANDROID_APP, fingerprints: values.ANDROID_FINGERPRINTS },
    },
    paddle: paddleOf(values),
    paddleClassic: classicOf(values),
    countryHeader: values.COUNTRY_HEADER ?? null,
    outside: outsideOf(values),
    proxyHops: values.PROXY_HOPS,
    secretKeys: [firstKey, ...olderKeys],
    oidc: oidcOf(values),
    metricsToken: values.METRICS_TOKEN ?? null,
    reportingCurrency: values.REPORTING_CURRENCY,
    traces:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: values.OTEL_EXPORTER_OTLP_HEADERS,
            ratio: values.OTEL_TRACES_SAMPLER_ARG,
            service: values.OTEL_SERVICE_NAME,
          },
    raffle: values.RAFFLE,
    limits: values.LIMITS,
    busyAfterMs: values.BUSY_AFTER_MS,
    drainMs: values.DRAIN_MS ?? (production ? productionDrainMs : 0),
    logLevel: values.LOG_LEVEL ?? (production ? "info" : "warn"),
  };
}

/** Whether real money would move, by the environment's name or the shape of the keys. */
function isLive(values: {
  readonly PADDLE_ENVIRONMENT: string;
  readonly PADDLE_API_KEY?: string | undefined;
  readonly PADDLE_CLIENT_TOKEN?: string | undefined;
  readonly PADDLE_CLASSIC_AUTH_CODE?: string | undefined;
}): boolean {
  const { PADDLE_API_KEY: apiKey, PADDLE_CLIENT_TOKEN: token, PADDLE_CLASSIC_AUTH_CODE: authCode } = values;
  if (apiKey?.startsWith("pdl_live_") === true || token?.startsWith("live_") === true) return true;
  return values.PADDLE_ENVIRONMENT === "production" && (apiKey !== undefined || authCode !== undefined);
}

/** The app's default host: the site's with `app` in place of `www` (spec 001 §2). */
function appHostOf(publicUrl: string): string {
  const url = new URL(publicUrl);
  url.hostname = `app.${url.hostname.replace(/^www\./, "")}`;
  return url.origin;
}

function both<A, B, T>(a: A | undefined, b: B | undefined, make: (a: A, b: B) => T): T | null {
  return a === undefined || b === undefined ? null : make(a, b);
}

/** A sentence about what is wrong with the data folder, by the system's error code. Null for other codes. */
export function dataFolderProblem(code: string, dataDir: string): string | null {
  if (code === "ENOSPC") return `The disk of ${dataDir} is full: make room and start again.`;
  return ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "EISDIR"].includes(code)
    ? `${dataDir} cannot be written: DATA_DIR must be a folder that this program may write to.`
    : null;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** The file that marks a data folder filled by `npm run demo`. */
export const demoMark = "demo.json";

/** The development key. It is made at the first start and kept beside the data. */
function secretIn(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  let key: string;
  try {
    if (!existsSync(file)) makeSecret(dataDir, file);
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    const sentence = dataFolderProblem(codeOf(error), dataDir);
    throw sentence === null ? error : new EnvError([sentence]);
  }
  if (key.length >= minSecretLength) return key;
  throw new EnvError([
    `${file} must hold a key of at least ${minSecretLength} characters, but does not: delete it, and the next start makes one.`,
  ]);
}

/**
 * Writes the key to a temporary file and then links it to its name. A full disk leaves no partial key, and of two simultaneous first starts only one
 * sets it.
 */
function makeSecret(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true });
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600, flush: true });
    linkSync(aside, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
