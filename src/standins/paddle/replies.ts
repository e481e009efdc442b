/** How the stand-in answers a browser: pages, scripts, and a script that does not come. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";

/**
 * Sends a page that the site shows in a frame. The site's policy would forbid the frame, so the page has a policy of its own. It may load only the
 * stand-in's files.
 */
export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'",
    )
    .header("x-frame-options", "SAMEORIGIN")
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(html);
}

export const sendScript = (reply: FastifyReply, source: string): FastifyReply =>
  reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(source);

export const sendNoScript = (reply: FastifyReply): FastifyReply =>
  reply.code(503).type("text/html").send("<html><body>Service Unavailable</body></html>");

export const localeOf = (wanted: string | undefined, header: string | undefined): string => wanted ?? header?.slice(0, 2) ?? "en";

const hostedQuery = v.object({ locale: v.optional(v.string()) });
/** The language of a page that stands alone, not inside the site's page: its `locale`, else the browser's language. */
export const hostedLocaleOf = (request: FastifyRequest): string =>
  localeOf(v.parse(hostedQuery, request.query).locale?.slice(0, 2), request.headers["accept-language"]);
