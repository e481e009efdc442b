/** Serves the pages. The site renders them; this process caches those that are the same for everybody. */
import { Negotiator } from "@fastify/accept-negotiator";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { pictureParameters, pictureQuery, pictureValues, releaseParameter } from "#core/release.ts";
import {
  flagParameters,
  localeCookieName,
  pageParameters,
  type PageRelease,
  type PageRequest,
  type PageResponse,
  secretParameters,
  type Site,
} from "#core/page.ts";
import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { answerRefusal } from "./failures.ts";
import { refuse } from "./base/refusal.ts";
import type { Limits } from "./base/limits.ts";
import type { World } from "./base/world.ts";
import { headersFrom, isFramed, pageHeaders, permissionsPolicy } from "./security.ts";
import type { Releases } from "./releases/releases.ts";
import type { Settings } from "./base/settings.ts";
import type { Turns } from "./turns.ts";
import { countryOf, geoLocale, isFromThisMachine, networkOf } from "./base/visitor.ts";

/** The cache's size in characters: about 64 MB with the compressed forms. */
const cacheCharacters = 24_000_000;
const longestUrl = 4_000;
/** A CDN caches a page for five minutes. A browser asks each time and mostly gets 304. */
const sharedCache = "public, max-age=0, s-maxage=300, stale-while-revalidate=600";
/** Our order of preference. The few values of the header that browsers send are parsed once. */
const encodings = new Negotiator({ supportedValues: ["br", "gzip", "identity"], cache: new LRUCache<string, string>({ max: 100 }) });
const brotliQuality = 10;
const quickBrotliQuality = 5;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

type Html = Extract<PageResponse, { readonly html: string }>;

interface CachedPage {
  readonly page: Html;
  readonly etag: string;
  /** Compressed when first requested. */
  brotli: Promise<Buffer> | null;
  /** Whether `brotli` was compressed quickly. */
  isQuick: boolean;
  gzip: Promise<Buffer> | null;
}

/** Drops the least recently used pages first, and all of them when a new day begins, because pages show dates. */
class PageCache {
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: cacheCharacters,
    sizeCalculation: ({ page }, key) => page.html.length + key.length,
  });
  #day = "";

  get(key: string, day: string): CachedPage | undefined {
    if (day !== this.#day) this.#pages.clear();
    this.#day = day;
    return this.#pages.get(key);
  }

  set(key: string, page: Html): CachedPage {
    const cached: CachedPage = {
      page,
      etag: `"${createHash("sha256").update(page.html).digest("base64url").slice(0, 27)}"`,
      brotli: null,
      isQuick: false,
      gzip: null,
    };
    this.#pages.set(key, cached);
    return cached;
  }
}

/** The name of the older release that the address asks for; null when it names none or an unknown one. */
async function requestedRelease(url: string, releases: PageParts["releases"]): Promise<string | null> {
  if (!url.includes(`${releaseParameter}=`)) return null;
  const name = new URLSearchParams(url.slice(url.indexOf("?") + 1)).get(releaseParameter);
  return name !== null && (await releases.isOlder(name)) ? name : null;
}

/** The path with only those parameters that a rendered page may depend on. */
function sharedUrl(url: string, release: string | null): string {
  const at = url.indexOf("?");
  if (at < 0) return url;
  const asked = new URLSearchParams(url.slice(at + 1));
  const isPicture = asked.has(pictureQuery);
  const kept = new URLSearchParams(
    [...pageParameters, ...(isPicture ? pictureParameters : [])].flatMap((name) =>
      asked
        .getAll(name)
        .slice(0, 1)
        .map((value) => [name, value]),
    ),
  );
  for (const name of flagParameters) if (kept.has(name)) kept.set(name, "");
  for (const name of pictureParameters) if (!pictureValues[name].test(kept.get(name) ?? "")) kept.delete(name);
  if (release !== null) kept.set(releaseParameter, release);
  if (isPicture) kept.set(pictureQuery, "");
  return kept.size > 0 ? `${url.slice(0, at)}?${kept}` : url.slice(0, at);
}

/** Whether the address holds a secret. Such an address must not be sent as a referrer, by a page or a redirect. */
function carriesSecret(url: string): boolean {
  const at = url.indexOf("?");
  if (at < 0) return false;
  const asked = new URLSearchParams(url.slice(at + 1));
  return secretParameters.some((name) => asked.has(name));
}

export interface PageParts {
  readonly site: Site;
  readonly settings: Settings;
  readonly world: World;
  readonly limits: Limits;
  readonly releases: Pick<Releases, "isOlder" | "older">;
  readonly turns: Turns;
}

/**
 * Compresses a page well, which takes longer than rendering it. While another page is being compressed or pages wait to be rendered, it is compressed
 * quickly, and well when it is requested later: the pages of a flood would otherwise occupy the threads that also read files.
 */
function brotliOf(isBusy: () => boolean): (cached: CachedPage) => Promise<Buffer> {
  let compressing = false;
  return async (cached) => {
    const quick = compressing || isBusy();
    if (cached.brotli !== null && (quick || !cached.isQuick)) return cached.brotli;
    cached.isQuick = quick;
    cached.brotli = toBrotli(cached.page.html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quick ? quickBrotliQuality : brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    });
    if (quick) return cached.brotli;
    compressing = true;
    return cached.brotli.finally(() => {
      compressing = false;
    });
  };
}

export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { site, settings, world, limits, releases, turns } = parts;
  const { developing } = settings;
  const toBrotliOnce = brotliOf(turns.isBusy);
  const cache = new PageCache();
  const headersOf = async (framed: boolean) => ({
    ...(await headersFrom(pageHeaders(settings, site.scriptHashes, framed))),
    "permissions-policy": permissionsPolicy(settings),
  });
  const [usual, framed] = await Promise.all([headersOf(false), headersOf(true)]);
  await app.register(async (pages) => {
    await pages.register(cookie);
    pages.addHook("onRequest", (request, reply, done) => {
      reply.headers(isFramed(request.url) ? framed : usual);
      if (carriesSecret(request.url)) reply.header("referrer-policy", "no-referrer");
      done();
    });
    pages.get("/*", async (request, reply) => {
      if (request.url.length > longestUrl) return answerRefusal(reply, refuse("malformed"));
      const today = dayOf(world.now());
      const asked = await requestedRelease(request.url, releases);
      const requestOf = (release: PageRelease | null): PageRequest => ({
        url: sharedUrl(request.url, release?.name ?? null),
        ...(release && { release }),
        publicUrl: settings.publicUrl,
        geoLocale: geoLocale(request.headers["accept-language"], countryOf(request, settings)),
        localeCookie: request.cookies[localeCookieName],
        userAgent: request.headers["user-agent"] ?? "",
        developer: !settings.production || isFromThisMachine(request),
        today,
      });
      const pageOf = (sent: PageRequest) => site.requestedPage?.(sent) ?? { url: sent.url, key: sent.url };
      // Reading answers takes their release, and opening an older one as long as rendering a page. So a page of an older release is looked up by the
      // address as sent, which is the shortest one in all our links; any other way of writing it counts and waits like a page to render.
      const named = sharedUrl(request.url, asked);
      let page = asked === null ? pageOf(requestOf(null)) : { url: named, key: named };
      const cached = developing ? undefined : cache.get(page.key, today);
      if (cached) return answerCached(request, reply, cached, toBrotliOnce);
      const network = networkOf(request.ip);
      const tooMany = await limits.take("page.network", network);
      if (tooMany) return answerRefusal(reply, tooMany);

      const sent = requestOf(asked === null ? null : await releases.older(asked));
      let shared: PageResponse | CachedPage;
      try {
        // Requests for one page run in turn, so that only the first renders it.
        shared = await turns.make(network, async () => {
          if (asked !== null) page = pageOf(sent);
          return (developing ? undefined : cache.get(page.key, today)) ?? site.render({ ...sent, url: page.url });
        });
      } catch (err) {
        if (site.renderError === undefined) throw err;
        request.log.error({ err }, "A page could not be rendered");
        return answerPage(reply, await site.renderError({ ...sent, url: page.url }));
      }
      if ("etag" in shared) return answerCached(request, reply, shared, toBrotliOnce);
      if (!developing && "html" in shared && shared.cacheable && shared.status === 200)
        return answerCached(request, reply, cache.set(page.key, shared), toBrotliOnce);
      // A redirect keeps the whole query.
      const whole = "html" in shared || page.url === request.url ? shared : await site.render({ ...sent, url: request.url });
      return answerPage(reply, whole);
    });
  });
}

function typeOf({ headers }: Html): string {
  return headers["content-type"] ?? "text/html; charset=utf-8";
}

function answerPage(reply: FastifyReply, page: PageResponse): FastifyReply {
  reply.status(page.status).headers({ "cache-control": "private, no-cache", ...page.headers });
  if ("location" in page) return reply.header("location", page.location).send();
  return reply.header("content-type", typeOf(page)).send(page.html);
}

async function answerCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedPage,
  toBrotliOnce: ReturnType<typeof brotliOf>,
): Promise<FastifyReply> {
  const { page, etag } = cached;
  // A shared page belongs to no visitor's trace.
  reply.removeHeader("server-timing");
  reply.headers({ "cache-control": sharedCache, vary: "accept-encoding", ...page.headers, etag });
  if (request.headers["if-none-match"] === etag) return reply.status(304).send();
  reply.status(page.status).header("content-type", typeOf(page));
  const encoding = encodings.negotiate(String(request.headers["accept-encoding"] ?? "identity"));
  if (encoding === "br") {
    return reply.header("content-encoding", "br").send(await toBrotliOnce(cached));
  }
  if (encoding === "gzip") {
    cached.gzip ??= toGzip(page.html);
    return reply.header("content-encoding", "gzip").send(await cached.gzip);
  }
  return reply.send(page.html);
}
