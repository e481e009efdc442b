/** The cache of pages that are the same for everybody. It answers most requests for them without Fastify (decision 227). */
import { Negotiator } from "@fastify/accept-negotiator";
import { pageParameters, type PageResponse, secretParameters } from "#core/page.ts";
import { dayOf } from "#core/questionnaire/calendar.ts";
import { pictureQuery, releaseParameter } from "#core/release.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { World } from "./base/world.ts";

/** The cache's size in characters: about 64 MB with the compressed forms. */
const cacheCharacters = 24_000_000;
/** A CDN caches a page for five minutes. A browser asks each time and mostly gets 304. */
const sharedCache = "public, max-age=0, s-maxage=300, stale-while-revalidate=600";
export const longestUrl = 4_000;
/** Our order of preference. The few values of the header that browsers send are parsed once. */
const encodings = new Negotiator({ supportedValues: ["br", "gzip"], cache: new LRUCache<string, string>({ max: 100 }) });
const brotliQuality = 10;
const quickBrotliQuality = 5;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

export type Html = Extract<PageResponse, { readonly html: string }>;

export interface CachedPage {
  readonly page: Html;
  readonly etag: string;
  /** Compressed when first requested. */
  brotli: Promise<Buffer> | null;
  /** Whether `brotli` was compressed quickly. */
  isQuick: boolean;
  gzip: Promise<Buffer> | null;
  /** The answer that Fastify sent to a plain request for it, without what differs by request. */
  known: { readonly headers: readonly string[]; readonly body: Buffer } | null;
}

export interface CachedPages {
  readonly get: (key: string, day: string) => CachedPage | undefined;
  /** @param day the day that the page was rendered for. If another day has begun since, the page is not kept */
  readonly set: (key: string, page: Html, day: string) => CachedPage;
  readonly answer: (request: FastifyRequest, reply: FastifyReply, cached: CachedPage) => Promise<FastifyReply>;
  /** Answers a plain request for a page whose answer is known. @returns whether it has done so */
  readonly answerAtOnce: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export const htmlType = "text/html; charset=utf-8";
export function typeOf({ headers }: Html): string {
  return headers["content-type"] ?? htmlType;
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

  set(key: string, page: Html, day: string): CachedPage {
    const etag = `"${createHash("sha256").update(page.html).digest("base64url").slice(0, 27)}"`;
    const cached: CachedPage = { page, etag, brotli: null, isQuick: false, gzip: null, known: null };
    if (day === this.#day) this.#pages.set(key, cached);
    return cached;
  }
}

/**
 * Compresses a page well, which takes longer than rendering it. While another page is being compressed or pages wait to be rendered, it compresses the page
 * quickly; a later request compresses it well. Otherwise the pages of a flood would occupy the threads that also read files.
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

/**
 * Reads the header as `@fastify/compress` does. Otherwise it would compress what is sent as it is here, anew for each request: 4 ms, and one client with
 * 200 connections made others' files wait for seconds.
 */
const encodingFor = ({ "accept-encoding": accepted = "" }: IncomingMessage["headers"]) =>
  encodings.negotiate(String(accepted).toLowerCase().replaceAll("x-gzip", "gzip"));

/** Parameters that make an answer differ from the plain page's. */
const telling = [...pageParameters, ...secretParameters, releaseParameter, pictureQuery];

/** The address without the parameters of campaigns. Null if it is too long or has a parameter that the answer depends on. */
function plainPath(url: string): string | null {
  if (url.length > longestUrl) return null;
  const at = url.indexOf("?");
  if (at < 0) return url;
  const asked = new URLSearchParams(url.slice(at + 1));
  return telling.some((name) => asked.has(name)) ? null : url.slice(0, at);
}

/** Headers that change a page's answer, or announce a body. */
const unusual = ["if-none-match", "content-length", "transfer-encoding", "expect", "upgrade"] as const;

function isPlain({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  return method === "GET" && unusual.every((name) => headers[name] === undefined);
}

const byRequest: ReadonlySet<string> = new Set(["x-request-id", "connection"]);

function headersOf(reply: FastifyReply, body: Buffer): readonly string[] {
  const sent = Object.entries({ ...reply.getHeaders(), "content-length": body.length });
  return sent.flatMap(([name, value]) => (byRequest.has(name) || value === undefined ? [] : [name, String(value)]));
}

export function createCachedPages(world: Pick<World, "now" | "uuid">, isBusy: () => boolean): CachedPages {
  const cache = new PageCache();
  const toBrotliOnce = brotliOf(isBusy);
  return {
    get: (key, day) => cache.get(key, day),
    set: (key, page, day) => cache.set(key, page, day),
    async answer(request, reply, cached) {
      const { page, etag } = cached;
      // A shared page belongs to no visitor's trace.
      reply.removeHeader("server-timing");
      reply.headers({ "cache-control": sharedCache, vary: "accept-encoding", ...page.headers, etag });
      if (request.headers["if-none-match"] === etag) return reply.status(304).send();
      reply.status(page.status).header("content-type", typeOf(page));
      const encoding = encodingFor(request.headers);
      if (encoding === "br") {
        const body = await toBrotliOnce(cached);
        reply.header("content-encoding", "br");
        if (!cached.isQuick && isPlain(request) && plainPath(request.url) !== null)
          cached.known ??= { headers: headersOf(reply, body), body };
        return reply.send(body);
      }
      if (encoding === "gzip") {
        cached.gzip ??= toGzip(page.html);
        return reply.header("content-encoding", "gzip").send(await cached.gzip);
      }
      return reply.send(page.html);
    },
    answerAtOnce(request, response) {
      if (!isPlain(request)) return false;
      const path = plainPath(request.url ?? "");
      const known = path === null ? undefined : cache.get(path, dayOf(world.now()))?.known;
      if (known == null || encodingFor(request.headers) !== "br") return false;
      response.writeHead(200, [...known.headers, "x-request-id", world.uuid()]).end(known.body);
      return true;
    },
  };
}
