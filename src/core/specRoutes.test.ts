/** The addresses in the specification, in its English spelling (spec 001 §2). */
import { expect, test } from "vitest";
import { locales } from "./locales.ts";
import { type AddressedRoute, buildPath, isAddressed, matchPath, pathIn, routeNames, routes } from "./routes.ts";

const english = (route: AddressedRoute) => buildPath(route, "en-US", { version: "76", question: "2" });

test("the pages of a version have paths below the questionnaire's root and the version", () => {
  const names = [
    "update-email",
    "email-exists",
    "start-level-test",
    "congratulations",
    "thank-you",
    "new-confirm",
    "post-purchase",
    "reactivate-or-new",
    "reactivate",
    "next-steps",
    "initial-level-test",
    "user",
    "verify-email",
  ] as const;
  for (const name of names) expect(english(`questionnaire/${name}`)).toBe(`/en/speak-english/76/${name}/`);
});

test("login and account pages have the specification's paths, and are indexable and in the sitemap where it says so", () => {
  const row = (route: AddressedRoute) => [english(route), routes[route].indexable, routes[route].sitemap];
  const unlisted = [false, false];
  expect(row("forgot-password")).toEqual(["/en/forgot-password/", true, false]);
  expect(row("recover-password")).toEqual(["/en/recover-password/", ...unlisted]);
  expect(row("login/link")).toEqual(["/en/login/", true, true]);
  expect(row("login/link-sent")).toEqual(["/en/login/link/", ...unlisted]);
  expect(row("login/expired")).toEqual(["/en/login/expired/", ...unlisted]);
  expect(row("login/failed")).toEqual(["/en/login/failure/", ...unlisted]);
  expect(row("login/account-exists")).toEqual(["/en/login/account-exists/", ...unlisted]);
  expect(row("link/login")).toEqual(["/en/link/login/", ...unlisted]);
  expect(row("link/confirm-email")).toEqual(["/en/link/confirm-email/", ...unlisted]);
  // Addresses in mails are the same in every locale; addresses of pages are translated.
  for (const route of ["link/login", "link/confirm-email"] as const)
    expect(new Set(locales.map((locale) => pathIn(locale, route)))).toEqual(new Set([route]));
  expect(new Set(locales.map((locale) => pathIn(locale, "login/link"))).size).toBeGreaterThan(4);
});

test("legal documents have the specification's paths, translated into each language, and are indexable and in the sitemap where it says so", () => {
  const row = (route: AddressedRoute) => [english(route), routes[route].indexable, routes[route].sitemap];
  expect(row("legal/terms")).toEqual(["/en/terms-of-use/", false, false]);
  expect(row("legal/terms-and-conditions")).toEqual(["/en/legal/terms-and-conditions/", true, true]);
  expect(row("legal/privacy")).toEqual(["/en/legal/privacy-policy/", true, true]);
  expect(row("legal/licenses")).toEqual(["/en/legal/licenses/", true, true]);
  for (const type of [
    "data-protection-authorities",
    "marketing-and-advertising-networks",
    "service-providers",
    "payment-providers",
  ] as const)
    expect(english(`legal/${type}`)).toBe(`/en/legal/${type}/`);
  const documents = routeNames.filter(isAddressed).filter((route) => route.startsWith("legal/"));
  expect(documents).toHaveLength(8);
  for (const route of documents) {
    const words = locales.map((locale) => pathIn(locale, route).split("/").at(-1));
    // The two Spanish locales may use the same words.
    expect(new Set(words).size, route).toBeGreaterThan(4);
    expect(
      words.filter((word) => word === pathIn("en-US", route).split("/").at(-1)),
      route,
    ).toHaveLength(1);
  }
});

test("a question in an address must be a number", () => {
  expect(matchPath("/en/speak-english/76/2/")).toMatchObject({ kind: "page", params: { version: "76", question: "2" } });
  for (const path of ["/en/speak-english/76/two/", "/en/speak-english/76/1e3/", "/en/speak-english/76/2.5/", "/en/speak-english/76/-2/"])
    expect(matchPath(path), path).not.toMatchObject({ kind: "page" });
});

test("every route's address is recognized", () => {
  for (const route of routeNames.filter(isAddressed)) expect(matchPath(english(route)), route).not.toMatchObject({ kind: "none" });
});
