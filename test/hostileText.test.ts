/** Injection: attackers' texts in every place for stored texts or parts of URLs. They must stay plain text. */
import { renderMail } from "#server/mail/templates/index.tsx";
import type { Locale } from "#core/locales.ts";
import { geoLocale } from "#server/base/visitor.ts";
import { fillText } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { noAssets } from "#test/noAssets.ts";
import type { Assets } from "#web/assets.ts";
import { defaultClientConfig } from "#web/clientConfig.ts";
import { createRenderer } from "#web/entry-server.tsx";

const assets: Assets = {
  forPage: (...page) => ({ ...noAssets.forPage(...page), questionnaire: "/q.js", texts: "/t.js", moreTexts: "/m.js" }),
};
const { render } = createRenderer(assets, defaultClientConfig);

const payloads = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "--><script>alert(1)</script>",
  "<!--<script>",
  "]]><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "'><svg onload=alert(1)>",
  '" autofocus onfocus="alert(1)',
  "' onmouseover='alert(1)",
  "`onload=alert(1)",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "//evil.example/<b>",
  "\\u003cscript\\u003ealert(1)",
  "&lt;script&gt;alert(1)",
  "&#x3c;script&#x3e;",
  "\u2028<b>\u2029",
  "{FIRSTNAME}<b>{x, select, other {<i>y</i>}}</b>",
  "<b>bold</b>",
  "${alert(1)}{{7*7}}",
  "<a href=javascript:alert(1)>x</a>",
  "<style>*{display:none}</style>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
];

/** The tags of a document with their attributes' names, without values. */
function skeletonOf(html: string): string {
  const withoutData = html.replace(/(<script type="application\/(?:ld\+)?json"[^>]*>)[^<]*<\/script>/g, "$1");
  return (withoutData.match(/<[^>"]*(?:"[^"]*"[^>"]*)*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, "")).join("");
}

const page = async (
  url: string,
  more: { readonly geoLocale?: Locale; readonly localeCookie?: string; readonly userAgent?: string } = {},
) => {
  const answer = await render({
    url,
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
    ...more,
  });
  return "html" in answer ? answer.html : `redirect ${new URL(answer.location, "https://parlando.example").origin}`;
};
const mail = async (template: "confirmEmail" | "payLink", firstname: string) =>
  (await renderMail(template, "en-US", { firstname, link: "https://parlando.example/", code: null })).html;

/** Renders a document that contains the text, unless the text is filtered out. */
const places: Readonly<Record<string, (text: string) => Promise<string> | string>> = {
  "a path": (text) => page(`/es-latam/${encodeURIComponent(text)}/`),
  "a path as it stands": (text) =>
    page(`/es-latam/${encodeURI(text).replaceAll("%3C", "<").replaceAll("%3E", ">").replaceAll("%22", '"')}/`),
  "a version": (text) => page(`/es-latam/habla-ingles/${encodeURIComponent(text)}/2/`),
  "a question": (text) => page(`/es-latam/habla-ingles/76/${encodeURIComponent(text)}/`),
  answers: (text) => page(`/es-latam/habla-ingles/76/2/?a=${encodeURIComponent(text)}`),
  "the frame's wish": (text) => page(`/es-latam/habla-ingles/76/2/?hf=${encodeURIComponent(text)}`),
  "a link's fields": (text) => {
    const value = encodeURIComponent(text);
    return page(`/es-latam/link/login/?token=${value}&backend-url=${value}&target=${value}&discount=${value}&email=${value}`);
  },
  "a campaign's fields": (text) => page(`/es-latam/?campaignId=${encodeURIComponent(text)}&${encodeURIComponent(text)}=1`),
  "header fields": (text) => page("/", { geoLocale: geoLocale(text, text), localeCookie: text, userAgent: text }),
  "a mail's greeting": (text) => mail("confirmEmail", text),
  "another mail's greeting": (text) => mail("payLink", text),
  "a name in a text": (text) =>
    renderToStaticMarkup(richText(fillText(["Un paso, ", ["tag", "b", [["arg", "FIRSTNAME"]]], "!"], { FIRSTNAME: text }, "es-419"))),
  "a name that chooses": (text) =>
    renderToStaticMarkup(richText(fillText([["select", "NAME", { other: [["arg", "NAME"]] }]], { NAME: text }, "es-419"))),
};

describe(`${payloads.length * Object.keys(places).length} hostile texts`, () => {
  it.each(Object.entries(places))("in %s leave the document as it is with a harmless one", async (_place, show) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const harmless = skeletonOf(await show("harmless"));
    for (const payload of payloads) {
      const html = await show(payload);
      expect([payload, skeletonOf(html)]).toEqual([payload, harmless]);
      expect(html).not.toContain(payload.includes("<script>") ? "<script>alert" : "<svg onload");
    }
  });
});

it("an address with two slashes or another host does not redirect to another site", async () => {
  const starts = ["//evil.example", "///evil.example", "/\\evil.example", "/%2f/evil.example", "/%5cevil.example", "//evil.example%2f.."];
  const rests = ["", "/", "/es-latam", "/es-latam/habla-ingles/", "/..//evil.example/"];
  for (const url of starts.flatMap((start) => rests.map((rest) => start + rest)))
    expect([url, /^redirect (?!https:\/\/parlando\.example$)/.test(await page(url))]).toEqual([url, false]);
});
