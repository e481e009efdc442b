/** The configuration after reading and validation (env.ts). */
import type { Locale } from "#core/locales.ts";
import type { OutsideConfig } from "#core/outside.ts";
import type { LimitName, LimitRule } from "./limits.ts";

export interface Settings {
  /** In production no stand-in is loaded, and default secrets are refused. */
  readonly production: boolean;
  /** `npm run dev`: pages are not cached, and the development server's inline scripts may run. */
  readonly developing: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Whether all data is invented (`npm run demo`). */
  readonly exampleData: boolean;
  /** The folder in which builds share their page files. Null when each build has only its own. */
  readonly assetsDir: string | null;
  /** The bucket in which builds share their page files; `assetsDir` then holds this process's copies of the files requested. */
  readonly assetsBucket: S3Place | null;
  /** Storage that speaks S3's protocol, for backups and page files. */
  readonly s3: S3Settings | null;
  /** The site's origin as visitors see it, without a trailing slash. */
  readonly publicUrl: string;
  /** The API's base URL, as `/geo.json` and sessions name it. */
  readonly backendUrl: string;
  /** Every base URL that `backend-url` in a link may name. Any other could steal a visitor's tokens. */
  readonly backends: readonly string[];
  /** Other origins that may call with credentials. */
  readonly allowedOrigins: readonly string[];
  readonly databaseUrl: string | null;
  /** A standby of the database, from which the studio counts. */
  readonly reportDatabaseUrl: string | null;
  /** Journeys are copied to this ClickHouse and counted there. Null counts them in the database. */
  readonly clickhouseUrl: string | null;
  /** Where all processes count rate limits. */
  readonly redisUrl: string | null;
  /** How many processes run: during an outage of the counters, each enforces its share of a limit. */
  readonly processes: number;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** The learning app's host, without a trailing slash; null uses the stand-in. */
  readonly appUrl: string | null;
  /** The app's addresses in the two stores; null where it is not offered. Undefined shows the template's examples. */
  readonly storeLinks: { readonly android: string | null; readonly apple: string | null } | undefined;
  /** The apps that may open our links (`/.well-known/`). */
  readonly appLinks: {
    readonly appleAppIds: readonly string[];
    readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null;
  };
  /** Null uses the stand-in. */
  readonly paddle: PaddleSettings | null;
  /** Null when Paddle Classic is not used. Billing's stand-in includes Classic's. */
  readonly paddleClassic: PaddleClassicSettings | null;
  /** The CDN's country header in lower case, or null. */
  readonly countryHeader: string | null;
  readonly outside: OutsideSettings;
  /** The number of proxies in front of the process. The client's address is that many entries from the right of X-Forwarded-For. */
  readonly proxyHops: number;
  /** The first key signs, all keys verify. There are two during a key rotation. */
  readonly secretKeys: readonly [string, ...string[]];
  /** Operators' sign-in with their company's identity provider, or null. */
  readonly oidc: OidcSettings | null;
  /** The token that opens `/metrics`; null keeps it closed. */
  readonly metricsToken: string | null;
  /** The currency in which the studio adds up money, at the exchange rates that an operator imported. */
  readonly reportingCurrency: string;
  /** Where traces are sent; null makes none. */
  readonly traces: TracesSettings | null;
  /** The raffle's weights for versions. A locale without an entry always gets its default version. */
  readonly raffle: Readonly<Partial<Record<Locale, Readonly<Record<string, number>>>>>;
  readonly limits: Readonly<Partial<Record<LimitName, LimitRule>>>;
  /** How long the process keeps answering after SIGTERM, ms. Load balancers meanwhile see that it is not ready. */
  readonly drainMs: number;
  /** New requests get 503 while the event loop lags by more than this; 0 turns this off. */
  readonly busyAfterMs: number;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "silent";
}

export interface TracesSettings {
  /** Without `/v1/traces` at its end. */
  readonly endpoint: string;
  /** May hold the collector's key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces that is kept: 0 to 1. */
  readonly ratio: number;
  readonly service: string;
}

export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** `s3://bucket/key` */
export interface S3Place {
  readonly bucket: string;
  /** Has no leading slash. Empty means the whole bucket. */
  readonly key: string;
}

/** Third-party services: some load in the browser, some receive reports from the server. */
export interface OutsideSettings extends Readonly<OutsideConfig> {
  readonly conversions: ConversionSettings;
}

/** The advertising networks to which the server reports purchases, with the visitor's consent. */
export interface ConversionSettings {
  readonly meta: { readonly pixelId: string; readonly token: string; readonly url: string } | null;
  readonly tiktok: { readonly pixelId: string; readonly token: string; readonly url: string } | null;
}

/** An OpenID Connect issuer with which the studio is registered. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on the sign-in button. */
  readonly name: string;
}

export interface PaddleSettings {
  readonly environment: "sandbox" | "production";
  readonly apiKey: string;
  readonly clientToken: string;
  /** All currently valid secrets: two during a rotation. */
  readonly webhookSecrets: readonly string[];
  /** Paddle's price ids by our product ids. A product without one is not sold. */
  readonly prices: Readonly<Record<string, string>>;
}

export interface PaddleClassicSettings {
  readonly environment: "sandbox" | "production";
  readonly vendorId: string;
  readonly authCode: string;
  /** PEM; verifies webhooks ("alerts"). */
  readonly publicKey: string;
  /** Classic's product and plan ids by our product ids. A product without one is not sold. */
  readonly products: Readonly<Record<string, string>>;
}

/**
 * The back end that links must name if the site has several, because no other back end knows the account. Null if the site has only one.
 */
export function namedBackend({ backends, backendUrl }: Pick<Settings, "backends" | "backendUrl">): string | null {
  return backends.length > 1 ? backendUrl : null;
}
