/** What a page's address says to search engines: its canonical form and its counterparts in other locales. */
import { type Locale, locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, type RouteName, routeNames, routes } from "#core/routes.ts";

/** `es-419` means nothing to search engines: the Latin American pages stand for `es` and its countries. */
const hreflangs: Readonly<Record<Locale, readonly string[]>> = {
  "en-US": ["en", "x-default"],
  "es-419": ["es", "es-MX", "es-AR", "es-CO", "es-CL", "es-PE"],
  "es-ES": ["es-ES"],
  "pt-BR": ["pt-BR"],
  "it-IT": ["it"],
  "de-DE": ["de"],
};

export interface Alternate {
  readonly hreflang: string;
  readonly href: string;
}

/** Every locale's address of a page, this one's included; the same list in all of them. */
export function alternates(route: AddressedRoute, params: AnyParams, publicUrl: string): readonly Alternate[] {
  return locales.flatMap((locale) => {
    const href = publicUrl + buildPath<AddressedRoute>(route, locale, params);
    return hreflangs[locale].map((hreflang) => ({ hreflang, href }));
  });
}

/** The address under which a page is to be found; null for what has none. */
export function canonicalUrl(route: RouteName, locale: Locale, params: AnyParams, publicUrl: string): string | null {
  const row = routes[route];
  const canonical = "canonical" in row ? routeNames.find((name) => name === row.canonical) : route;
  return canonical !== undefined && isAddressed(canonical) ? publicUrl + buildPath<AddressedRoute>(canonical, locale, params) : null;
}
