/** Security headers, by kind of answer. */
import { locales, localeTraits } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { pictureQuery } from "#core/release.ts";
import helmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import Fastify from "fastify";
import type { Settings } from "./base/settings.ts";

const yearSeconds = 365 * 24 * 60 * 60;

/** Headers that pages and files share. */
const shared = (settings: Settings): FastifyHelmetOptions => ({
  strictTransportSecurity: settings.publicUrl.startsWith("https:") ? { maxAge: yearSeconds, includeSubDomains: true } : false,
  referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  crossOriginEmbedderPolicy: false,
  xFrameOptions: { action: settings.developing ? "sameorigin" : "deny" },
  crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
  // Headers for browsers that no longer exist.
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  originAgentCluster: false,
});

/** Calls answer with data, which must never run or be framed. CORS decides which other origins may read it. Built once, because calls are many. */
export function apiHeaders(settings: Settings): Readonly<Record<string, string>> {
  return {
    "content-security-policy": "default-src 'none';base-uri 'none';frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-content-type-options": "nosniff",
    ...(settings.publicUrl.startsWith("https:") ? { "strict-transport-security": `max-age=${yearSeconds}; includeSubDomains` } : {}),
  };
}

/** Scripts, styles, fonts and pictures load only in our own pages. Opened alone, a picture may use its own styles but no script. */
export function fileHeaders(settings: Settings): FastifyHelmetOptions {
  const directives = {
    "default-src": ["'none'"],
    "style-src": ["'unsafe-inline'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return { ...shared(settings), contentSecurityPolicy: { useDefaults: false, directives } };
}

/** The origins of Paddle's script, styles and inline form: live or sandbox, never both. */
function paddleSources(settings: Settings) {
  if (settings.paddle === null) return { script: [], style: [], frame: [], connect: [] };
  const sandbox = settings.paddle.environment === "sandbox";
  const host = sandbox ? "sandbox-" : "";
  return {
    script: ["https://cdn.paddle.com", ...(sandbox ? ["https://sandbox-cdn.paddle.com"] : [])],
    style: ["https://cdn.paddle.com", ...(sandbox ? ["https://sandbox-cdn.paddle.com"] : [])],
    frame: [`https://${host}buy.paddle.com`, ...(settings.paddleClassic === null ? [] : [`https://${host}checkout.paddle.com`])],
    connect: [
      `https://${host}checkout-service.paddle.com`,
      ...(settings.paddleClassic === null ? [] : [`https://${host}checkout.paddle.com`]),
    ],
  };
}

/** The origins that third-party services load from and send to. Only configured services are listed. */
function outsideSources({ outside }: Settings) {
  const chat = {
    zendesk: {
      script: ["https://static.zdassets.com"],
      connect: ["https://*.zdassets.com", "https://*.zendesk.com", "wss://*.zendesk.com"],
      frame: [],
    },
    intercom: {
      script: ["https://widget.intercom.io", "https://js.intercomcdn.com"],
      connect: ["https://*.intercom.io", "wss://*.intercom.io"],
      frame: ["https://intercom-sheets.com"],
    },
    crisp: { script: ["https://client.crisp.chat"], connect: ["https://client.crisp.chat", "wss://client.relay.crisp.chat"], frame: [] },
    freshchat: {
      script: ["https://wchat.freshchat.com"],
      connect: ["https://wchat.freshchat.com"],
      frame: ["https://wchat.freshchat.com"],
    },
  } as const;
  const google = ["https://www.googletagmanager.com", "https://*.google-analytics.com", "https://*.analytics.google.com"];
  const used = [
    ...(outside.tagManager === null && outside.analytics === null
      ? []
      : [{ script: ["https://www.googletagmanager.com"], connect: google, frame: [], image: google }]),
    ...(outside.braze === null
      ? []
      : [
          {
            script: ["https://js.appboycdn.com"],
            connect: [`https://${outside.braze.baseUrl}`],
            frame: [],
            image: ["https://*.braze-images.com", "https://appboy-images.com"],
          },
        ]),
    ...(outside.chat === null ? [] : [{ ...chat[outside.chat.vendor], image: chat[outside.chat.vendor].script }]),
  ];
  const all = (kind: "script" | "connect" | "frame" | "image") => used.flatMap((service) => [...service[kind]]);
  return { script: all("script"), connect: all("connect"), frame: all("frame"), image: all("image") };
}

/** The headers that helmet sets with these options. No request changes them, so they are computed once. */
export async function headersFrom(options: FastifyHelmetOptions): Promise<Readonly<Record<string, string>>> {
  const probe = Fastify();
  await probe.register(helmet, options);
  let headers = {};
  probe.get("/", async (_, reply) => {
    headers = reply.getHeaders();
    return "";
  });
  await probe.inject("/");
  await probe.close();
  return headers;
}

/** With each locale's prefix, and without one. */
const galleryPaths: ReadonlySet<string> = new Set(
  locales.flatMap((locale) => {
    const path = buildPath("dev/blocks", locale);
    return [path, path.replace(`/${localeTraits[locale].prefix}/`, "/")];
  }),
);

/** Whether our own pages may frame this one: the gallery of blocks, and any page as the studio's picture of a screen, without scripts. */
export function isFramed(url: string): boolean {
  const [path = "", ...query] = url.split("?");
  return galleryPaths.has(path) || new URLSearchParams(query.join("?")).has(pictureQuery);
}

/** Pages run our own scripts, by file or hash, and those of configured vendors. The development server's scripts are inline. */
export function pageHeaders(settings: Settings, scriptHashes: readonly string[], framed: boolean): FastifyHelmetOptions {
  const paddle = paddleSources(settings);
  const outside = outsideSources(settings);
  const backends = [...new Set(settings.backends.map((url) => new URL(url).origin))];
  return {
    ...shared(settings),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: [framed ? "'self'" : "'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'", ...(settings.developing ? ["'unsafe-inline'"] : scriptHashes), ...paddle.script, ...outside.script],
        // Style attributes set the size of bars and the position of pictures.
        styleSrc: ["'self'", "'unsafe-inline'", ...paddle.style],
        imgSrc: ["'self'", "data:", ...outside.image],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'"],
        manifestSrc: ["'self'"],
        connectSrc: ["'self'", ...backends, ...(settings.developing ? ["ws:"] : []), ...paddle.connect, ...outside.connect],
        frameSrc: ["'self'", ...paddle.frame, ...outside.frame],
      },
    },
  };
}

/** The studio loads only its own files. Nobody may frame it, and no other page gets a handle to its window. */
export function studioHeaders(settings: Settings): Readonly<Record<string, string>> {
  const { "strict-transport-security": transport } = apiHeaders(settings);
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "script-src 'self'",
    // Style attributes set the size of bars and the position of panels.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
  ];
  return {
    "content-security-policy": policy.join(";"),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
    ...(transport === undefined ? {} : { "strict-transport-security": transport }),
  };
}

/** Turns off browser features that pages never use. Payment is allowed for Paddle's frame where configured. */
export function permissionsPolicy(settings: Settings): string {
  const payment = paddleSources(settings)
    .frame.map((origin) => ` "${origin}"`)
    .join("");
  return `accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), usb=(), payment=(self${payment})`;
}
