/** Serves the pages. The site renders them; this process caches those that are the same for everybody. */
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
import { type CachedPage, type CachedPages, htmlType, longestUrl, typeOf } from "./cachedPages.ts";
import { answerRefusal } from "./failures.ts";
import { refuse } from "./base/refusal.ts";
import type { Limits } from "./base/limits.ts";
import type { World } from "./base/world.ts";
import { headersFrom, isFramed, pageHeaders, permissionsPolicy } from "./security.ts";
import type { Releases } from "./releases/releases.ts";
import type { Settings } from "./base/settings.ts";
import type { Turns } from "./turns.ts";
import { countryOf, geoLocale, isFromThisMachine, networkOf } from "./base/visitor.ts";

/** The route of all pages, in the metrics too. */
export const pageRoute = "/*";

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
  readonly cache: CachedPages;
}

export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { site, settings, world, limits, releases, turns, cache } = parts;
  const { developing } = settings;
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
    pages.get(pageRoute, async (request, reply) => {
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
      // The answers in an address can be read only with their release, and opening an older release takes as long as rendering a page. So a
      // page of an older release is looked up by the address as it was sent. Our links spell an address in the shortest way. With any other
      // spelling the page counts and waits like one that has to be rendered.
      const named = sharedUrl(request.url, asked);
      let page = asked === null ? pageOf(requestOf(null)) : { url: named, key: named };
      const known = developing ? undefined : cache.get(page.key, today);
      if (known) return cache.answer(request, reply, known);
      // A redirect renders nothing, so it neither counts nor waits. It keeps the whole query.
      const redirect = asked === null ? site.redirect?.({ ...requestOf(null), url: request.url }) : null;
      if (redirect) return answerPage(reply, redirect);
      const network = networkOf(request.ip);
      const tooMany = await limits.take("page.network", network);
      if (tooMany) {
        const wait = tooMany.retryAfterSeconds ?? 60;
        const html = acceptsHtml(request) ? site.refusedPage?.(requestOf(null), wait) : undefined;
        if (html === undefined) return answerRefusal(reply, tooMany);
        return reply.status(429).headers({ "retry-after": wait, "cache-control": "no-store", "content-type": htmlType }).send(html);
      }

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
      if ("etag" in shared) return cache.answer(request, reply, shared);
      if (!developing && "html" in shared && shared.cacheable && shared.status === 200)
        return cache.answer(request, reply, cache.set(page.key, shared, today));
      // A redirect keeps the whole query.
      const whole = "html" in shared || page.url === request.url ? shared : await site.render({ ...sent, url: request.url });
      return answerPage(reply, whole);
    });
  });
}

/** Whether the caller accepts HTML, as browsers do. Other programs get the JSON that calls get. */
const acceptsHtml = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/.test(headers.accept ?? "");

function answerPage(reply: FastifyReply, page: PageResponse): FastifyReply {
  reply.status(page.status).headers({ "cache-control": "private, no-cache", ...page.headers });
  if ("location" in page) return reply.header("location", page.location).send();
  return reply.header("content-type", typeOf(page)).send(page.html);
}
