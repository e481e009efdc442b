/** Stands in for the learning app's host: shows what arrived there, and makes the way back. Never in production. */
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../html.ts";
import { resetPasswordPage, resetScriptHash } from "./resetPassword.ts";

const css = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1b1f3b; background: #faf7f2; }
main { max-width: 760px; margin: 0 auto; padding: 32px 20px; }
h1 { font-size: 28px; line-height: 1.15; margin: 0 0 8px; overflow-wrap: anywhere; }
p { color: #5a5f7d; margin: 0 0 24px; }
table { width: 100%; border-collapse: collapse; background: #fff; border: 1.5px solid #e6ded1; border-radius: 14px; }
th, td { padding: 12px 16px; text-align: start; vertical-align: top; border-top: 1.5px solid #e6ded1; }
tr:first-child > * { border-top: 0; }
td { overflow-wrap: anywhere; }
a { color: #4a3aff; }
`;
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function html(title: string, body: string, more = "", lang = "en"): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${css}</style>${more}</head><body>${body}</body></html>`;
}

/**
 * @param prefix where the host is mounted, without a slash at the end
 * @param apiBase where its pages find the calls
 */
export function createAppHostStandin(prefix: string, apiBase = "/api"): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
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
