/** Where links lead, and how the page gets there without a request. */
import type { Locale } from "#core/locales.ts";
import { buildPath, matchPath, templateQuestionId } from "#core/routes.ts";
import { useSyncExternalStore } from "react";

/** What we note with each step of our own, so that the back arrow can be the browser's Back. */
interface Step {
  readonly from: string;
  /** What went wrong there, when that is why the next page shows. */
  readonly problem?: string;
}

/** Why a login shows to somebody who was signing up, and the ways to a password to somebody who has typed one. */
export const addressTaken = "error.1101";
export const wrongPassword = "error.1001";

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

/** Per locale and version the path of its questions, with 999 where the question's id goes (spec 001 §9). */
const templates = new Map<string, string>();
const inTemplate = new RegExp(`${templateQuestionId}/$`);

export function questionPath(locale: Locale, version: string, questionId: number): string {
  const key = `${locale}/${version}`;
  let template = templates.get(key);
  if (template === undefined)
    templates.set(key, (template = buildPath("questionnaire/question", locale, { version, question: String(templateQuestionId) })));
  return template.replace(inTemplate, `${questionId}/`);
}

/** With the part of the query that stays through the funnel: `hf` (spec 001 §2). */
function withKept(address: string): string {
  if (!new URLSearchParams(location.search).has("hf")) return address;
  return `${address}${address.includes("?") ? "&" : "?"}hf`;
}

/**
 * Goes to an address of this site: in place when the same questionnaire in the same locale serves it, else by a page load. A page
 * reads the query it was loaded with, so an address with one is loaded.
 */
export function goToPath(
  address: string,
  here: { readonly locale: Locale; readonly version: string },
  options: { readonly replace?: boolean } = {},
): void {
  const match = matchPath(address);
  const inPlace = match.kind === "page" && match.locale === here.locale && match.params.version === here.version;
  if (!inPlace) location[options.replace ? "replace" : "assign"](withKept(address));
  else if (address !== location.pathname) showPage(address, options);
}

/** Shows a page in place although another address served this one: no connection is needed for it. `problem`: why it shows. */
export function showPage(path: string, { replace = false, problem }: { readonly replace?: boolean; readonly problem?: string } = {}): void {
  navigate(withKept(path), { replace, state: { from: location.pathname, ...(problem === undefined ? {} : { problem }) } });
}

/** The step that led to the page that shows. */
export function lastStep(): { readonly from: string | null; readonly problem: string | null } {
  const state: Partial<Record<keyof Step, unknown>> | null = typeof history === "undefined" ? null : history.state;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { from: text(state?.from), problem: text(state?.problem) };
}

/** Asks the server for the page of the address bar. */
export function loadAnew(): void {
  location.reload();
}

/** Goes back to a path: by the browser's Back when that is where it leads, so that its Back does not lead forward again. */
export function goBackTo(path: string, here: { readonly locale: Locale; readonly version: string }): void {
  if (lastStep().from === path) history.back();
  else goToPath(path, here);
}
