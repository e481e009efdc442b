/** The query that a page was opened with. */
import { secretParameters } from "#core/page.ts";
import { releaseParameter } from "#core/release.ts";
import { matchPath, routes } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";

/** The query parameter, and the tab's storage key, for the back end that a mail's link names. */
export const backendParameter = "backend-url";
const hidden = [...secretParameters, backendParameter] as const;

/**
 * Removes tokens and internal parameters from the address bar before anything else runs: no report, tag or Referer sees them. The pages of
 * mailed links keep them in their entry of the browser's history, because such a page may be reloaded before its button is pressed.
 */
export function takeArrival(): URLSearchParams {
  const query = new URLSearchParams(location.search);
  const shown = new URLSearchParams(query);
  for (const name of [...hidden, releaseParameter]) shown.delete(name);
  const here = matchPath(location.pathname);
  // Only pages of mailed links keep the tokens in the history's entry. Third-party tags could read it, but none run on these pages.
  const keeps = here.kind === "page" && "secret" in routes[here.route];
  const kept: Readonly<Record<string, unknown>> = (keeps && history.state?.arrival) || {};
  for (const name of hidden) {
    const value = kept[name];
    if (typeof value === "string" && !query.has(name)) query.set(name, value);
  }
  if (String(shown) === String(new URLSearchParams(location.search))) return query;
  const arrival = Object.fromEntries(hidden.map((name) => [name, query.get(name)]));
  history.replaceState({ ...history.state, ...(keeps && { arrival }) }, "", withQuery(location.pathname, shown));
  return query;
}

/** The query of the shown page with what is hidden from the address bar, to open a mailed link's page anew. */
export function hiddenQuery(arrival: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(location.search);
  for (const name of hidden) for (const value of arrival.getAll(name).slice(0, 1)) query.set(name, value);
  return query;
}

/** Forgets a used token, also for a reload. */
export function spendToken(arrival: URLSearchParams): void {
  arrival.delete("token");
  const kept: unknown = history.state?.arrival;
  if (typeof kept === "object") history.replaceState({ ...history.state, arrival: { ...kept, token: null } }, "");
}
