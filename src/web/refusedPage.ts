/**
 * The page for a visitor whose network has requested too many pages. It is small and has no script, because a refusal must cost nearly nothing. It
 * loads the requested page as soon as the limit allows it.
 */
import type { UiKey } from "#content/texts/ui.ts";
import type { Locale } from "#core/locales.ts";
import { plainText, type Text } from "#core/text.ts";
import { escapeHtml } from "#core/escapeHtml.ts";

/** The colours are those of the theme Parlando. */
const style =
  "body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf7f2;color:#1b1f3b;font:1.125rem/1.5 system-ui,sans-serif;text-align:center}" +
  "main{padding:1.5rem;max-width:26rem}h1{font-size:1.5rem;line-height:1.25}" +
  "a{display:inline-block;margin-top:.5rem;padding:.875rem 2rem;border-radius:999px;background:#4a3aff;color:#fff;font-weight:600;text-decoration:none}";

export function refusedPage(locale: Locale, texts: Readonly<Record<UiKey, Text>>, retryAfterSeconds: number): string {
  const say = (key: UiKey) => escapeHtml(plainText(texts[key], {}, locale));
  const title = say("shell.failed.title");
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta http-equiv="refresh" content="${retryAfterSeconds}"><title>${title}</title><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p>${say("shell.failed.text")}</p><a href="">${say("shell.failed.reload")}</a></main></body></html>`
  );
}
