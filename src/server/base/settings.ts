/** What is configured, once it has been read and checked (env.ts). */
import type { Locale } from "#core/locales.ts";
import type { OutsideConfig } from "#core/outside.ts";
import type { LimitName, LimitRule } from "./limits.ts";

export interface Settings {
  /** In production nothing that stands in for an outside service is loaded, and default secrets are refused. */
  readonly production: boolean;
  /** `npm run dev`: pages are not kept, and the development server's inline scripts may run. */
  readonly developing: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Whether everything in it was invented (`npm run demo`). */
  readonly exampleData: boolean;
  /** Folder that processes of several builds share, with the files of all their pages; null when each has its own alone. */
  readonly assetsDir: string | null;
  /** Origin of the site as visitors see it, without a slash at the end. */
  readonly publicUrl: string;
  /** Base of the API that `/geo.json` and sessions name. */
  readonly backendUrl: string;
  /** Every base a `backend-url` in a link may name: any other could take a visitor's tokens. */
  readonly backends: readonly string[];
  /** Origins besides the site's own that may call with credentials. */
  readonly allowedOrigins: readonly string[];
  readonly databaseUrl: string | null;
  /** Where all processes count what they limit. */
  readonly redisUrl: string | null;
  /** How many run beside each other: each keeps to its share of a limit while the counters are away. */
  readonly processes: number;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** The learning app's host, without a slash at the end; null uses the stand-in. */
  readonly appUrl: string | null;
  /** Addresses of the app in the two stores, null where it is not to be had; undefined: the template's examples. */
  readonly storeLinks: { readonly android: string | null; readonly apple: string | null } | undefined;
  /** Which apps open our links by themselves (`/.well-known/`). */
  readonly appLinks: {
    readonly appleAppIds: readonly string[];
    readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null;
  };
  /** Null uses the stand-in. */
  readonly paddle: PaddleSettings | null;
  /** Null sells nothing by Paddle Classic; with Billing's stand-in, Classic's is there too. */
  readonly paddleClassic: PaddleClassicSettings | null;
  /** Lower-case name of the CDN's country header, null when there is none. */
  readonly countryHeader: string | null;
  readonly outside: OutsideSettings;
  /** How many proxies stand in front; the client's address is that many entries from the right of X-Forwarded-For. */
  readonly proxyHops: number;
  /** The first signs, all verify: two while a key is being replaced. */
  readonly secretKeys: readonly [string, ...string[]];
  /** The company's own sign-in for operators; null has none. */
  readonly oidc: OidcSettings | null;
  /** Opens `/metrics`; null leaves it closed. */
  readonly metricsToken: string | null;
  /** In which the studio sums up money of several currencies, at the rates that an operator imported. */
  readonly reportingCurrency: string;
  /** Weights of the versions that the raffle draws from; a locale without an entry always gets its default version. */
  readonly raffle: Readonly<Partial<Record<Locale, Readonly<Record<string, number>>>>>;
  readonly limits: Readonly<Partial<Record<LimitName, LimitRule>>>;
  /** How long a process that was told to end goes on answering before its port closes, so that balancers see it is not ready, ms. */
  readonly drainMs: number;
  /** New requests are told to come again (503) while the event loop is later than this; 0 never does. */
  readonly busyAfterMs: number;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "silent";
}

/** Services of others: those the browser loads, and those the server reports to. */
export interface OutsideSettings extends Readonly<OutsideConfig> {
  readonly conversions: ConversionSettings;
}

/** Where purchases are reported to, server to server, as consent allows. */
export interface ConversionSettings {
  readonly meta: { readonly pixelId: string; readonly token: string; readonly url: string } | null;
  readonly tiktok: { readonly pixelId: string; readonly token: string; readonly url: string } | null;
}

/** An OpenID Connect issuer at which the studio is registered. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As the button names it. */
  readonly name: string;
}

export interface PaddleSettings {
  readonly environment: "sandbox" | "production";
  readonly apiKey: string;
  readonly clientToken: string;
  /** All that are valid now: two while one is being replaced. */
  readonly webhookSecrets: readonly string[];
  /** Paddle's price ids by our product ids; what has none is not sold. */
  readonly prices: Readonly<Record<string, string>>;
}

export interface PaddleClassicSettings {
  readonly environment: "sandbox" | "production";
  readonly vendorId: string;
  readonly authCode: string;
  /** PEM, verifies alerts. */
  readonly publicKey: string;
  /** Classic's product and plan ids by our product ids; what has none is not sold. */
  readonly products: Readonly<Record<string, string>>;
}
