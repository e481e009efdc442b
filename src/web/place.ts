/** Which page is shown, for what surrounds it. */
import type { Locale } from "#core/locales.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, type PageRoute } from "#core/routes.ts";
import { createContext, use } from "react";

export interface Place {
  readonly route: PageRoute;
  readonly params: AnyParams;
}

export const PlaceContext = createContext<Place>({ route: "home", params: {} });

/** The address of the shown page in another locale; the home page's when it has none of its own (not found, error). */
export function usePathIn(): (locale: Locale) => string {
  const { route, params } = use(PlaceContext);
  return (locale) => (isAddressed(route) ? buildPath<AddressedRoute>(route, locale, params) : buildPath("home", locale));
}
