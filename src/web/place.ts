/** Which page is shown, for what surrounds it. */
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

/** The answers so far as a query, for visitors without script; with one, and after the sign-up, the device knows them. */
export function answersQuery(state: State): string {
  const code = encodeAnswers(state);
  return code === "" || state.signupDone ? "" : `?a=${code}`;
}

/** The address of the shown page in another locale; the home page's when it has none of its own (not found, error). */
export function usePathIn(): (locale: Locale) => string {
  const { route, params } = use(PlaceContext);
  const { state, live } = useSession();
  const query = route === "questionnaire/question" && !live ? answersQuery(state) : "";
  return (locale) => (isAddressed(route) ? buildPath<AddressedRoute>(route, locale, params) + query : buildPath("home", locale));
}
