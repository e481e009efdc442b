/** Stand-in for the learning app's host: shows what arrived there and links back. Never in production. */
import type { FastifyInstance } from "fastify";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "#core/escapeHtml.ts";
import { resetPasswordPage, resetScriptHash } from "./resetPassword.ts";

/** The brand's fonts, served by this host as by the real one. */
const fonts = ["bricolage-grotesque", "figtree"] as const;

const css = (prefix: string) => `
@font-face { font-family: Bricolage; src: url("${prefix}/fonts/bricolage-grotesque.woff2") format("woff2"); font-weight: 700 800; font-display: swap; }
@font-face { font-family: Figtree; src: url("${prefix}/fonts/figtree.woff2") format("woff2"); font-weight: 400 700; font-display: swap; }
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 Figtree, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1b1f3b; background: #faf7f2; }
header { max-width: 600px; margin: 0 auto; padding: 16px 20px; }
header a { display: inline-flex; align-items: center; gap: 10px; min-height: 44px; font: 800 22px/1 Bricolage, Figtree, sans-serif; letter-spacing: -0.02em; text-transform: lowercase; color: #1b1f3b; text-decoration: none; }
header svg { width: 34px; height: 30px; }
main { max-width: 600px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font: 700 36px/1.15 Bricolage, Figtree, sans-serif; letter-spacing: -0.02em; margin: 0 0 12px; overflow-wrap: anywhere; text-wrap: balance; }
p { margin: 0 0 24px; }
table { width: 100%; border-collapse: collapse; background: #fff; border: 1.5px solid #e6ded1; border-radius: 20px; }
th, td { padding: 12px 16px; text-align: start; vertical-align: top; border-top: 1.5px solid #e6ded1; }
tr:first-child > * { border-top: 0; }
td { overflow-wrap: anywhere; }
a { color: #4a3aff; }
`;
/** The site's logo: two speech bubbles. */
const bubbles = `<svg viewBox="0 0 31 27" aria-hidden="true"><path fill="#4a3aff" d="M0 20V11a11 11 0 1 1 11 11H2a2 2 0 0 1-2-2Z"/><path fill="#ff6b4a" stroke="#faf7f2" stroke-width="2.4" paint-order="stroke" d="M14.4 18a7.6 7.6 0 0 1 15.2 0v6.2a1.4 1.4 0 0 1-1.4 1.4H22a7.6 7.6 0 0 1-7.6-7.6Z"/></svg>`;
const policy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * @param prefix where the host is mounted, without a trailing slash
 * @param brand the brand name on its pages
 * @param apiBase base URL of the API for its pages
 */
export function createAppHostStandin(prefix: string, brand: string, apiBase = "/api"): (app: FastifyInstance) => Promise<void> {
  const html = (title: string, body: string, more = "", lang = "en") =>
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · ${escapeHtml(brand)}</title><link rel="stylesheet" href="${prefix}/brand.css">${more}</head><body><header><a href="/">${bubbles}<span>${escapeHtml(brand)}</span></a></header>${body}</body></html>`;
  return async (app) => {
    for (const font of fonts)
      app.get(`${prefix}/fonts/${font}.woff2`, async (_request, reply) =>
        reply.type("font/woff2").send(await readFile(join(import.meta.dirname, `../../ui/fonts/${font}.woff2`))),
      );
    // Styles in a file of their own: a font that inline styles ask for sends the page's address as Referer, whatever the page's referrer policy.
    app.get(`${prefix}/brand.css`, async (_request, reply) => reply.type("text/css; charset=utf-8").send(css(prefix)));
    app.get(`${prefix}/forgot-password`, async (request, reply) => {
      const locale = new URL(`http://app${request.url}`).searchParams.get("locale");
      return reply
        .header(
          "content-security-policy",
          `${policy}; script-src ${resetScriptHash}; connect-src 'self' ${apiBase.startsWith("/") ? "" : new URL(apiBase).origin}`,
        )
        .header("referrer-policy", "no-referrer")
        .header("cache-control", "no-store")
        .header("x-robots-tag", "noindex")
        .type("text/html; charset=utf-8")
        .send(
          resetPasswordPage(locale, apiBase, (title, body, more) =>
            html(
              title,
              `<main data-app-page="/forgot-password"><h1>${escapeHtml(title)}</h1>${body}</main>`,
              more,
              escapeHtml(locale ?? "es-419"),
            ),
          ),
        );
    });
    app.get(`${prefix}/*`, async (request, reply) => {
      const url = new URL(`http://app${request.url}`);
      const page = url.pathname.slice(prefix.length);
      const rows = [...url.searchParams].map(
        ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
      );
      const nothing = `<tr><td>Nothing came along.</td></tr>`;
      return reply
        .header("content-security-policy", policy)
        .header("cache-control", "no-store")
        .header("x-robots-tag", "noindex")
        .type("text/html; charset=utf-8")
        .send(
          html(
            `App host: ${page}`,
            `<main data-app-page="${escapeHtml(page)}"><h1>App host: ${escapeHtml(page)}</h1><p>The learning app lives elsewhere; this page shows what it would be told.</p><table>${rows.join("") || nothing}</table><p><a href="/">Back to the site</a></p></main>`,
          ),
        );
    });
  };
}
