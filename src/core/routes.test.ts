import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localeTraits, locales } from "./locales.ts";
import {
  type AddressedRoute,
  type AnyParams,
  buildPath,
  isAddressed,
  isPageRoute,
  matchPath,
  pathIn,
  questionIdAt,
  routeNames,
  routes,
} from "./routes.ts";

const addressed = routeNames.filter(isAddressed);
const example: AnyParams = { version: "76", question: "14" };
const paramsOf = (route: AddressedRoute): AnyParams => Object.fromEntries(routes[route].params.map((name) => [name, example[name]]));

describe("the table of addresses", () => {
  test.each(addressed)("%s has the same parameters in every locale", (route) => {
    for (const locale of locales) {
      const named = [...pathIn(locale, route).matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      expect(named).toEqual(routes[route].params);
    }
  });

  test("no two routes of a locale share a path", () => {
    for (const locale of locales) {
      const paths = addressed.map((route) => pathIn(locale, route));
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  test("only the not-found page and the error page have no address", () => {
    expect(routeNames.filter((route) => !isAddressed(route))).toEqual(["not-found", "error"]);
  });

  test("only these addresses redirect and show no page", () => {
    expect(routeNames.filter((route) => !isPageRoute(route))).toEqual([
      "questionnaire/root",
      "dev/reset-root",
      "app/dashboard",
      "app/exercise",
      "app/forgot-password",
    ]);
    expect(matchPath("/de/app/start/")).toEqual({ kind: "redirectRoute", route: "app/dashboard", locale: "de-DE", params: {} });
  });

  test("a question page has the id in its address, a page after the funnel the id in its row, other pages none", () => {
    expect(questionIdAt("questionnaire/question", { version: "76", question: "14" })).toBe(14);
    expect(questionIdAt("questionnaire/thank-you", { version: "76" })).toBe(1004);
    expect(questionIdAt("home")).toBeUndefined();
  });

  test("every path consists of lower-case ASCII words, easy to type and share", () => {
    for (const route of addressed)
      for (const locale of locales) expect(pathIn(locale, route).replace(/\{\w+\}/g, "x")).toMatch(/^([a-z0-9-]+(\/[a-z0-9-]+)*)?$/);
  });

  test("a canonical route is a route of the table and indexable", () => {
    for (const route of addressed) {
      const row = routes[route];
      if (!("canonical" in row)) continue;
      const target = addressed.find((name) => name === row.canonical);
      expect(target && routes[target].indexable).toBe(true);
    }
  });

  test("a route in the sitemap is indexable", () => {
    expect(addressed.filter((route) => routes[route].sitemap && !routes[route].indexable)).toEqual([]);
  });

  test("the questionnaire's root word is the spec's in every locale", () => {
    expect(locales.map((locale) => buildPath("questionnaire/raffle", locale))).toEqual([
      "/en/speak-english/",
      "/es-latam/habla-ingles/",
      "/es/habla-ingles/",
      "/pt-br/fale-ingles/",
      "/it/parla-inglese/",
      "/de/englisch-sprechen/",
    ]);
  });

  test("a question's address ends in a slash below its version", () => {
    expect(buildPath("questionnaire/question", "es-419", { version: "76", question: "2" })).toBe("/es-latam/habla-ingles/76/2/");
  });
});

describe("matching an address", () => {
  test("matching a built path returns its route, in every locale", () => {
    for (const route of addressed) {
      for (const locale of locales) {
        expect(matchPath(buildPath<AddressedRoute>(route, locale, paramsOf(route)))).toEqual({
          kind: isPageRoute(route) ? "page" : "redirectRoute",
          route,
          locale,
          params: paramsOf(route),
        });
      }
    }
  });

  test("the site's root is home without a locale", () => {
    expect(matchPath("/")).toEqual({ kind: "root" });
  });

  test("Latin American pages also have addresses without a prefix", () => {
    expect(matchPath("/habla-ingles/")).toEqual({ kind: "page", route: "questionnaire/raffle", locale: "es-419", params: {} });
    expect(matchPath("/habla-ingles/76/2/")).toEqual({
      kind: "page",
      route: "questionnaire/question",
      locale: "es-419",
      params: { version: "76", question: "2" },
    });
  });

  test.each([
    ["/habla-ingles/76/2", "/habla-ingles/76/2/"],
    ["/es-latam/habla-ingles", "/es-latam/habla-ingles/"],
    ["/de", "/de/"],
    ["/englisch-sprechen/83/5", "/de/englisch-sprechen/83/5/"],
    ["/fale-ingles/", "/pt-br/fale-ingles/"],
    ["/ES-MX/habla-ingles/76/2", "/es-latam/habla-ingles/76/2/"],
    ["/es-419/", "/es-latam/"],
    ["/pt/fale-ingles/78/3/", "/pt-br/fale-ingles/78/3/"],
    ["/en-US/speak-english/", "/en/speak-english/"],
    ["/it-it/", "/it/"],
    ["/de-de/englisch-sprechen", "/de/englisch-sprechen/"],
    ["/es-es/habla-ingles/", "/es/habla-ingles/"],
    ["/EN/speak-english/", "/en/speak-english/"],
    ["//es-latam//habla-ingles/", "/es-latam/habla-ingles/"],
    ["//", "/"],
  ])("%s redirects to %s", (from, to) => {
    expect(matchPath(from)).toMatchObject({ kind: "redirect", path: to, to: to === "/" ? null : matchPath(to) });
  });

  test.each([
    "/es-latam/habla-ingles/76/two/",
    "/xx/",
    "/es-latam/speak-english/",
    "/%E0%A4%A/",
    "/es-latam/habla-ingles/76/2/3/",
    "/wp-login.php",
    "/es-latam/legal/",
    "/de/app/",
  ])("%s is not found", (path) => {
    expect(matchPath(path).kind).toBe("none");
  });

  test("any typed path gives a page, no page, or one redirect to a page", () => {
    const word = fc.constantFrom(
      "es-latam",
      "ES-mx",
      "de",
      "habla-ingles",
      "englisch-sprechen",
      "76",
      "2",
      "verify-email",
      "",
      "%41",
      "..",
      "💬",
      ...Object.values(localeTraits).map((traits) => traits.rootWord),
    );
    const path = fc.oneof(
      fc.array(word, { maxLength: 6 }).map((words) => `/${words.join("/")}`),
      fc.webPath(),
    );
    fc.assert(
      fc.property(path, (typed) => {
        const match = matchPath(typed);
        if (match.kind === "redirect") expect(matchPath(match.path)).toEqual(match.to ?? { kind: "root" });
      }),
      { numRuns: 2000 },
    );
  });
});
