/** The shown page's route and parameters, for header, footer and menus. */
import type { Locale } from "#core/locales.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, type PageRoute } from "#core/routes.ts";
import { createContext, use } from "react";
import { useSession } from "./siteContext.tsx";

export interface Place {
  readonly route: PageRoute;
  readonly params: AnyParams;
}

export const PlaceContext = createContext<Place>({ route: "home", params: {} });

/** The answers so far as a query, for visitors without scripts. With scripts, and after sign-up, the device keeps them. */
export function answersQuery(state: State): string {
  const code = encodeAnswers(state);
  return code === "" || state.signupDone ? "" : `?a=${code}`;
}

/** The shown page's address in another locale; the home page's for pages without an address (not found, error). */
export function usePathIn(): (locale: Locale) => string {
  const { route, params } = use(PlaceContext);
  const { state, live } = useSession();
  const query = route === "questionnaire/question" && !live ? answersQuery(state) : "";
  return (locale) => (isAddressed(route) ? buildPath<AddressedRoute>(route, locale, params) + query : buildPath("home", locale));
}
