import { locales } from "#core/locales.ts";
import { type AddressedRoute, buildPath, isPageRoute, matchPath } from "#core/routes.ts";
import { expect, test } from "vitest";
import { noAppLinks } from "./appLinks.ts";
import { siteFile } from "./files.ts";

const publicUrl = "https://parlando.example";
const file = (path: string, appLinks = noAppLinks) => siteFile(path, { publicUrl, appLinks })?.body ?? "";

/** The pages in the sitemap: the specification's (spec 001 §2), and searchable pages added since. */
const listed = [
  "home",
  "handle-your-subscription",
  "legal/terms-and-conditions",
  "legal/privacy",
  "legal/licenses",
  "login/link",
] as const satisfies readonly AddressedRoute[];

test("the sitemap lists exactly the specification's existing pages, in every locale", () => {
  const found = [...file("/sitemap.xml").matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
  const wanted = listed.filter(isPageRoute).flatMap((route) => locales.map((locale) => publicUrl + buildPath(route, locale)));
  expect(found.toSorted(), "every route with `...searchable` in core/routeTable.ts stands in `listed` of this file").toEqual(
    wanted.toSorted(),
  );
});

test("robots.txt names the sitemap and excludes the API", () => {
  expect(file("/robots.txt")).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
  expect(file("/robots.txt")).toContain("Disallow: /api/");
});

test("without apps there are no association files", () => {
  for (const path of ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json", "/other.xml"]) expect(file(path)).toBe("");
});

test("every entry of the sitemap names all its alternates, itself included", () => {
  for (const [entry, address] of file("/sitemap.xml").matchAll(/<url><loc>(.*?)<\/loc>.*?<\/url>/g)) {
    const counterparts = [...entry.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, hreflang, href]) => [hreflang, href]);
    expect(counterparts.map(([, href]) => href)).toContain(address);
    expect(new Set(counterparts.map(([hreflang]) => hreflang)).size).toBe(counterparts.length);
    expect(counterparts.map(([hreflang]) => hreflang)).toEqual(
      expect.arrayContaining(["en", "x-default", "es", "es-MX", "es-ES", "pt-BR", "it", "de"]),
    );
  }
});

test("the manifest starts at the root, which answers in the stored locale", () => {
  expect(JSON.parse(file("/manifest.webmanifest"))).toMatchObject({
    start_url: "/",
    icons: [{ sizes: "192x192" }, { sizes: "512x512" }],
  });
});

test("with apps, the association files name them and the addresses that open the app, in every locale", () => {
  const appLinks = { appleAppIds: ["ABCDE12345.example.parlando"], android: { packageName: "example.parlando", fingerprints: ["AA:BB"] } };
  const apple = JSON.parse(file("/.well-known/apple-app-site-association", appLinks));
  expect(apple.applinks.details[0].appIDs).toEqual(appLinks.appleAppIds);
  const components: readonly Record<"/", string>[] = apple.applinks.details[0].components;
  const paths = components.map(({ "/": path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/de/app/start/*", "/es-latam/app/inicio/*", "/app/inicio/*"]));
  expect(paths.every((path) => matchPath(path.slice(0, -1)).kind === "redirectRoute")).toBe(true);
  expect(JSON.parse(file("/.well-known/assetlinks.json", appLinks))[0].target).toEqual({
    namespace: "android_app",
    package_name: "example.parlando",
    sha256_cert_fingerprints: ["AA:BB"],
  });
});
