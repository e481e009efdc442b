/** The shown page's route and parameters, for header, footer and menus. */
import type { Locale } from "#core/locales.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type AddressedRoute, type AnyParams, buildPath, isAddressed, type PageRoute, routes } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import { createContext, use } from "react";
import { hiddenQuery } from "./device/arrival.ts";
import { isStorageBlocked } from "./device/storage.ts";
import { useSession, useSite } from "./siteContext.tsx";

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

/** Opens the shown page in another language, with its query. A mailed link's page keeps the link's secrets: without them it would be a used link. */
export function useOpenIn(): (locale: Locale) => void {
  const { route } = use(PlaceContext);
  const { services } = useSite();
  const pathIn = usePathIn();
  const { state } = useSession();
  return (locale) => {
    const query = "secret" in routes[route] ? hiddenQuery(services.arrival) : new URLSearchParams(location.search);
    // Without storage only the link can carry the answers.
    const answers = isStorageBlocked && !state.signupDone ? encodeAnswers(state) : "";
    if (answers !== "" && route === "questionnaire/question") query.set("a", answers);
    location.assign(withQuery(pathIn(locale), query));
  };
}
