/** Where links lead, and how the page gets there without a request. */
import type { Locale } from "#core/locales.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import { useSyncExternalStore } from "react";

/** What we note with each step of our own, so that the back arrow can be the browser's Back. */
interface Step {
  readonly from: string;
}

const watchers = new Set<() => void>();

/** Tells of each change of the path. @returns what ends it */
export function watchPath(changed: () => void): () => void {
  if (watchers.size === 0) addEventListener("popstate", tell);
  watchers.add(changed);
  return () => {
    watchers.delete(changed);
    if (watchers.size === 0) removeEventListener("popstate", tell);
  };
}

function tell() {
  for (const changed of watchers) changed();
}

/** The path of the address bar; `served` while the server renders and until hydration. */
export function usePathname(served: string): string {
  return useSyncExternalStore(
    watchPath,
    () => location.pathname,
    () => served,
  );
}

function navigate(address: string, { replace, state }: { readonly replace: boolean; readonly state: Step }) {
  history[replace ? "replaceState" : "pushState"](state, "", address);
  tell();
}

export function questionPath(locale: Locale, version: string, questionId: number): string {
  return buildPath("questionnaire/question", locale, { version, question: String(questionId) });
}

/** The part of the query that stays through the funnel: `hf` (spec 001 §2). */
function keptQuery(search: string): string {
  return new URLSearchParams(search).has("hf") ? "?hf" : "";
}

/** Goes to a path of this site: in place when the same questionnaire in the same locale serves it, else by a page load. */
export function goToPath(
  path: string,
  here: { readonly locale: Locale; readonly version: string },
  options: { readonly replace?: boolean } = {},
): void {
  const match = matchPath(path);
  const inPlace = match.kind === "page" && match.locale === here.locale && match.params.version === here.version;
  const step: Step = { from: location.pathname };
  const address = path + keptQuery(location.search);
  if (!inPlace) location[options.replace ? "replace" : "assign"](address);
  else if (path !== location.pathname) navigate(address, { replace: options.replace ?? false, state: step });
}

/** Asks the server for the page of the address bar. */
export function loadAnew(): void {
  location.reload();
}

/** Goes back to a path: by the browser's Back when that is where it leads, so that its Back does not lead forward again. */
export function goBackTo(path: string, here: { readonly locale: Locale; readonly version: string }): void {
  const state: unknown = history.state;
  if (typeof state === "object" && state !== null && "from" in state && state.from === path) history.back();
  else goToPath(path, here);
}
