/** Every page's metadata, read like a search engine. */
import { locales } from "#core/locales.ts";
import type { PageRequest } from "#core/page.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, isPageRoute, routeNames, routes } from "#core/routes.ts";
import { noAssets } from "#test/noAssets.ts";
import { describe, expect, test } from "vitest";
import { defaultClientConfig } from "../clientConfig.ts";
import { createRenderer } from "../entry-server.tsx";

const { render, renderError } = createRenderer(noAssets, defaultClientConfig);
const publicUrl = "https://parlando.example";
const params: AnyParams = { version: "76", question: "2" };
const request = (url: string): PageRequest => ({
  url,
  publicUrl,
  geoLocale: "es-419",
  localeCookie: undefined,
  userAgent: "",
  today: "2026-11-20",
});

async function headOf(path: string) {
  const page = await render(request(path));
  if (!("html" in page)) throw new Error(`${path} redirects`);
  const { html, status, headers } = page;
  const one = (pattern: RegExp) => pattern.exec(html)?.[1] ?? null;
  return {
    html,
    status,
    headers,
    title: one(/<title>([^<]*)<\/title>/) ?? "",
    description: one(/<meta name="description" content="([^"]*)"/),
    canonical: one(/<link rel="canonical" href="([^"]*)"/),
    alternates: [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(
      ([, hreflang, href]) => `${hreflang} ${href}`,
    ),
    structured: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = ""]): Record<string, unknown> =>
      JSON.parse(json),
    ),
  };
}

const shown = routeNames
  .filter(isAddressed)
  .filter(isPageRoute)
  .filter((route) => !route.startsWith("dev/"));

describe.each(shown)("%s", (route) => {
  test("answers in every locale with a title, a description and a picture to share", async () => {
    const titles = new Set<string>();
    for (const locale of locales) {
      const { status, html, title, description } = await headOf(buildPath<AddressedRoute>(route, locale, params));
      expect([status, title === "", description === null], locale).toEqual([200, false, false]);
      expect(html).toContain(`<html lang="${locale}"`);
      expect(html).toContain(`<meta property="og:image" content="${publicUrl}/media/open-graph-${locale}.png">`);
      expect(html.includes(`data-route="${route}"`), `${locale}: the page's main element has no data-route="${route}"`).toBe(true);
      expect(html).toMatch(/<main[^>]* id="main"|<main id="main"/);
      titles.add(title);
    }
    expect(titles.size, "titles are translated").toBeGreaterThan(3);
  });

  test("is indexable with mutual alternates, or has noindex in page and header", async () => {
    const heads = await Promise.all(
      locales.map(async (locale) => ({
        path: buildPath<AddressedRoute>(route, locale, params),
        ...(await headOf(buildPath<AddressedRoute>(route, locale, params))),
      })),
    );
    const [first] = heads;
    for (const { path, html, headers, canonical, alternates, description } of heads) {
      const ofDescription = `${path}: meta.${route}.description has 50 to 165 characters; it is “${description}”`;
      if (!routes[route].indexable) {
        expect([headers["x-robots-tag"], html.includes('<meta name="robots" content="noindex">'), alternates]).toEqual([
          "noindex",
          true,
          [],
        ]);
        continue;
      }
      expect([headers["x-robots-tag"], html.includes('name="robots"'), canonical]).toEqual([undefined, false, publicUrl + path]);
      expect(alternates).toEqual(first?.alternates);
      expect(alternates.map((alternate) => alternate.split(" ")[1])).toContain(canonical);
      expect(description?.length, ofDescription).toBeGreaterThan(49);
      expect(description?.length, ofDescription).toBeLessThan(166);
    }
  });
});

test("no two indexable pages of a locale have the same title", async () => {
  for (const locale of locales) {
    const titles = await Promise.all(
      shown
        .filter((route) => routes[route].indexable)
        .map(async (route) => (await headOf(buildPath<AddressedRoute>(route, locale, params))).title),
    );
    const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
    expect([locale, twice]).toEqual([locale, []]);
  }
});

test("the terms of use are the terms and conditions to search engines (spec 001 §2)", async () => {
  expect((await headOf(buildPath("legal/terms", "de-DE"))).canonical).toBe(publicUrl + buildPath("legal/terms-and-conditions", "de-DE"));
});

test("home names its operator and its course", async () => {
  const { structured } = await headOf(buildPath("home", "it-IT"));
  expect(structured.map((thing) => [thing["@context"], thing["@type"]])).toEqual([
    ["https://schema.org", "Organization"],
    ["https://schema.org", "Course"],
  ]);
  expect(structured[1]?.["provider"]).toEqual({ "@id": structured[0]?.["@id"] });
});

test("the help page's structured data has the questions that it shows", async () => {
  for (const locale of locales) {
    const { structured, html } = await headOf(buildPath("handle-your-subscription", locale));
    const [faq] = structured;
    expect(faq?.["@type"]).toBe("FAQPage");
    const shownQuestions = [...html.matchAll(/<h2 id="[^"]*-title">([^<]*)<\/h2>/g)].map(([, text]) => text);
    expect(shownQuestions).toHaveLength(4);
    expect(JSON.stringify(faq)).not.toMatch(/[{}]EMAIL|"text":""/);
    for (const question of shownQuestions) expect(JSON.stringify(faq)).toContain(`"name":"${question}"`);
  }
});

test("a page that fails to render gives the error page with status 500", async () => {
  const page = await renderError(request("/de/englisch-sprechen/76/2/"));
  expect(page).toMatchObject({ status: 500, headers: { "x-robots-tag": "noindex" } });
  expect("html" in page && page.html).toContain('<main id="main" tabindex="-1" data-route="error"');
  expect("html" in page && page.html).toContain('<html lang="de-DE"');
});
