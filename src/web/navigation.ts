/** Where links lead, and how the page gets there without a request. */
import type { Locale } from "#core/locales.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import { navigate } from "wouter/use-browser-location";

/** What we note with each step of our own, so that the back arrow can be the browser's Back. */
interface Step {
  readonly from: string;
}

export function questionPath(locale: Locale, version: string, questionId: number): string {
  return buildPath("questionnaire/question", locale, { version, question: String(questionId) });
}

/** The part of the query that stays through the funnel: `hf` (spec 001 §2). */
function keptQuery(search: string): string {
  return new URLSearchParams(search).has("hf") ? "?hf" : "";
}

/** Goes to a path of this site: in place when the same questionnaire in the same locale serves it, else by a page load. */
export function goToPath(path: string, here: { readonly locale: Locale; readonly version: string }, options: { readonly replace?: boolean } = {}): void {
  const match = matchPath(path);
  const inPlace = match.kind === "page" && match.locale === here.locale && match.params.version === here.version;
  const step: Step = { from: location.pathname };
  const address = path + keptQuery(location.search);
  if (!inPlace) location[options.replace ? "replace" : "assign"](address);
  else if (path !== location.pathname) navigate(address, { replace: options.replace ?? false, state: step });
}

/** Goes back to a path: by the browser's Back when that is where it leads, so that its Back does not lead forward again. */
export function goBackTo(path: string, here: { readonly locale: Locale; readonly version: string }): void {
  const state: unknown = history.state;
  if (typeof state === "object" && state !== null && "from" in state && state.from === path) history.back();
  else goToPath(path, here);
}
