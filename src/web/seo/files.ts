/** Files that search engines, browsers and phones request at fixed addresses. */
import { brand } from "#content/brand.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { locales } from "#core/locales.ts";
import { type AddressedRoute, buildPath, isAddressed, pathIn, routeNames, routes } from "#core/routes.ts";
import { plainText } from "#core/text.ts";
import { oldBrowserFile, oldBrowserPath } from "../oldBrowser.ts";
import { alternates } from "./addresses.ts";
import type { AppLinks } from "./appLinks.ts";

export interface SiteFile {
  readonly type: string;
  readonly body: string;
}
interface FileParts {
  readonly publicUrl: string;
  readonly appLinks: AppLinks;
}

const files: Readonly<Record<string, (parts: FileParts) => SiteFile | null>> = {
  "/robots.txt": ({ publicUrl }) => ({
    type: "text/plain; charset=utf-8",
    // Pages exclude themselves with noindex, which crawlers can read only if they may load the page.
    body: `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
  }),
  "/sitemap.xml": ({ publicUrl }) => ({ type: "application/xml; charset=utf-8", body: sitemap(publicUrl) }),
  "/manifest.webmanifest": () => ({ type: "application/manifest+json; charset=utf-8", body: JSON.stringify(manifest()) }),
  [oldBrowserPath]: () => ({ type: "text/javascript; charset=utf-8", body: oldBrowserFile() }),
  "/.well-known/apple-app-site-association": ({ appLinks: { appleAppIds } }) => {
    if (appleAppIds.length === 0) return null;
    const components = appPaths().map((path) => ({ "/": `${path}*` }));
    return {
      type: "application/json; charset=utf-8",
      body: JSON.stringify({ applinks: { details: [{ appIDs: appleAppIds, components }] }, webcredentials: { apps: appleAppIds } }),
    };
  },
  "/.well-known/assetlinks.json": ({ appLinks: { android } }) => {
    if (android === null) return null;
    const target = { namespace: "android_app", package_name: android.packageName, sha256_cert_fingerprints: android.fingerprints };
    return {
      type: "application/json; charset=utf-8",
      body: JSON.stringify([
        { relation: ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"], target },
      ]),
    };
  },
};

/** The file at a path, or null. */
export function siteFile(path: string, parts: FileParts): SiteFile | null {
  return files[path]?.(parts) ?? null;
}

/** Addresses that open the app on a phone that has it. */
function appPaths(): readonly string[] {
  const toApp = routeNames.filter(isAddressed).filter((name) => name.startsWith("app/"));
  return toApp.flatMap((route) => [
    ...locales.map((locale) => buildPath<AddressedRoute>(route, locale, {})),
    `/${pathIn("es-419", route)}/`,
  ]);
}

function sitemap(publicUrl: string): string {
  const listed = routeNames.filter(isAddressed).filter((name) => routes[name].sitemap && routes[name].page === true);
  const entries = listed.flatMap((route) => {
    const links = alternates(route, {}, publicUrl).map(
      ({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`,
    );
    return locales.map((locale) => `<url><loc>${publicUrl}${buildPath<AddressedRoute>(route, locale, {})}</loc>${links.join("")}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join("\n")}\n</urlset>\n`;
}

/** The web app manifest, the same for all locales: the start address answers in the stored locale. */
function manifest() {
  const icon = (size: number) => ({ src: `/media/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" });
  return {
    name: brand.name,
    short_name: brand.name,
    description: plainText(uiTexts("en-US")["meta.home.description"], {}, "en-US"),
    start_url: "/",
    scope: "/",
    display: "browser",
    background_color: "#FAF7F2",
    theme_color: "#FAF7F2",
    icons: [icon(192), icon(512)],
  };
}
