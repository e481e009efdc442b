/** A page's canonical address and its alternates in other locales, for search engines. */
import { type Locale, locales } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, type RouteName, routeNames, routes } from "#core/routes.ts";

/** Search engines do not know `es-419`: the Latin American pages stand for `es` and its countries. */
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

/** A page's addresses in all locales, its own included. */
export function alternates(route: AddressedRoute, params: AnyParams, publicUrl: string): readonly Alternate[] {
  return locales.flatMap((locale) => {
    const href = publicUrl + buildPath<AddressedRoute>(route, locale, params);
    return hreflangs[locale].map((hreflang) => ({ hreflang, href }));
  });
}

/** A page's canonical address; null for pages without an address. */
export function canonicalUrl(route: RouteName, locale: Locale, params: AnyParams, publicUrl: string): string | null {
  const row = routes[route];
  const canonical = "canonical" in row ? routeNames.find((name) => name === row.canonical) : route;
  return canonical !== undefined && isAddressed(canonical) ? publicUrl + buildPath<AddressedRoute>(canonical, locale, params) : null;
}
