/** The shared layout of every page (spec 001 §2, "Shared layout"). */
import { uiTexts } from "#content/texts/ui.ts";
import { locales, type Locale } from "#core/locales.ts";
import { type AddressedRoute, buildPath, isAddressed, isPageRoute, routeNames, routes } from "#core/routes.ts";
import { dutyLinks } from "./DutyLinks.tsx";
import { noAssets } from "#test/noAssets.ts";
import { expect, test } from "vitest";
import { defaultClientConfig } from "../clientConfig.ts";
import { createRenderer } from "../entry-server.tsx";

const { render } = createRenderer(noAssets, defaultClientConfig);

async function around(route: AddressedRoute, locale: Locale = "es-419") {
  const page = await render({
    url: buildPath<AddressedRoute>(route, locale, { version: "76", question: "3" }),
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today: "2026-11-20",
  });
  if (!("html" in page)) throw new Error(`${route} redirects`);
  const nav = /<nav.*?<\/nav>/s.exec(page.html)?.[0] ?? "";
  return { nav, hrefs: [...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href), html: page.html };
}

// Questions have the footer only if their definition says so. The page that prepares a plan has no navbar.
const laidOut = routeNames
  .filter(isAddressed)
  .filter((route) => isPageRoute(route) && !("developer" in routes[route]) && route !== "questionnaire/question");

test("every page has a logo that leads home, the languages as a select and as a list, three items in a menu, and a footer", async () => {
  expect(laidOut.length).toBeGreaterThan(35);
  for (const route of laidOut) {
    const { nav, hrefs, html } = await around(route);
    expect(hrefs, route).toContain(buildPath("home", "es-419"));
    expect(nav, route).toContain(defaultClientConfig.brand);
    expect(nav, route).toMatch(/<select/);
    expect(hrefs, route).toContain(buildPath<AddressedRoute>(route, "de-DE", { version: "76", question: "3" }));
    expect(nav, route).toMatch(/<details/);
    const items = [buildPath("home", "es-419"), buildPath("login/link", "es-419"), buildPath("handle-your-subscription", "es-419")];
    expect(hrefs.join(" "), route).toContain(items.join(" "));
    expect(html, route).toContain("<footer");
    expect(html, route).not.toContain('role="progressbar"');
  }
});

test.each(locales)("in %s every page has the links that the law requires, questions without a footer too", async (locale) => {
  const wanted = dutyLinks(locale).map(([, route]) => buildPath(route, locale));
  for (const route of [...laidOut, "questionnaire/question"] as const) {
    const { html } = await around(route, locale);
    for (const path of wanted) expect(html, `${route} ${path}`).toContain(`<a href="${path}">`);
  }
});

test.each(locales)("in %s every page has the cookie settings at its end, as the privacy policy says", async (locale) => {
  const button = `>${uiTexts(locale)["consent.settings"]}</button>`;
  for (const route of [...laidOut, "questionnaire/question"] as const) {
    const { html } = await around(route, locale);
    const end = html.slice(html.lastIndexOf("</main>"));
    expect(end.split(button), route).toHaveLength(2);
  }
});

test("German pages need three links, English ones only the imprint, which the United Kingdom requires", () => {
  expect(dutyLinks("de-DE").map(([, route]) => route)).toEqual(["imprint", "contract/cancel", "contract/withdraw"]);
  expect(dutyLinks("en-US").map(([, route]) => route)).toEqual(["imprint"]);
});

test("a question has the footer if its definition says so, with its texts, and keeps its answers in another language", async () => {
  const question = async (id: string, query = "") => {
    const page = await render({
      url: buildPath("questionnaire/question", "es-419", { version: "76", question: id }) + query,
      publicUrl: "https://parlando.example",
      geoLocale: "es-419",
      localeCookie: undefined,
      userAgent: "",
      today: "2026-11-20",
    });
    return "html" in page ? page.html : "";
  };
  expect(await question("2")).toContain("<footer");
  const third = await question("3", "?a=2.1");
  expect(third).not.toContain("<footer");
  expect(third).toMatch(/<nav.*<select.*<\/nav>/s);
  expect(third).toContain(`href="${buildPath("questionnaire/question", "de-DE", { version: "76", question: "3" })}?a=2.1"`);
});

test("a question's navbar has the progress bar too", async () => {
  expect((await around("questionnaire/question")).html).toContain('role="progressbar"');
});

test("the footer leads to every legal document: it links to three, and these link to the others", async () => {
  // The terms of use are the terms and conditions under another address.
  const documents = routeNames.filter(isAddressed).filter((route) => route.startsWith("legal/") && route !== "legal/terms");
  expect(documents).toHaveLength(7);
  for (const locale of locales) {
    const linked = async (route: AddressedRoute) => {
      const { html } = await around(route, locale);
      return documents.filter((document) => html.includes(`href="${buildPath<AddressedRoute>(document, locale, {})}"`));
    };
    const atOnce = await linked("handle-your-subscription");
    expect(atOnce).toEqual(["legal/terms-and-conditions", "legal/privacy", "legal/licenses"]);
    const further = (await Promise.all(atOnce.map(linked))).flat();
    expect(new Set(further), locale).toEqual(new Set(documents));
  }
});
