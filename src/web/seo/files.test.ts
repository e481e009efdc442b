import { locales } from "#core/locales.ts";
import { type AddressedRoute, buildPath, isPageRoute } from "#core/routes.ts";
import { expect, test } from "vitest";
import { noAppLinks } from "./appLinks.ts";
import { siteFile } from "./files.ts";

const publicUrl = "https://parlando.example";
const file = (path: string) => siteFile(path, { publicUrl, appLinks: noAppLinks })?.body ?? "";

/** Which pages the specification puts into the sitemap (spec 001 §2). */
const listed = [
  "home",
  "handle-your-subscription",
  "legal/terms-and-conditions",
  "legal/privacy",
  "legal/licenses",
  "login/link",
] as const satisfies readonly AddressedRoute[];

test("the sitemap lists the specification's pages that are there, in every locale, and no others", () => {
  const found = [...file("/sitemap.xml").matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
  const wanted = listed.filter(isPageRoute).flatMap((route) => locales.map((locale) => publicUrl + buildPath(route, locale)));
  expect(found.toSorted()).toEqual(wanted.toSorted());
});

test("robots are told where it is, and kept out of the calls", () => {
  expect(file("/robots.txt")).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
  expect(file("/robots.txt")).toContain("Disallow: /api/");
});

test("there is no file about apps without apps", () => {
  for (const path of ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json", "/other.xml"]) expect(file(path)).toBe("");
});
