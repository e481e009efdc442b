/** Navigation in the browser: builds addresses and changes pages without a request where possible. */
import type { Locale } from "#core/locales.ts";
import { releaseParameter } from "#core/release.ts";
import { buildPath, matchPath, templateQuestionId } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import { useSyncExternalStore } from "react";
import { isStorageBlocked } from "./device/storage.ts";

/** The open page's locale and version. */
export interface Here {
  readonly locale: Locale;
  readonly version: string;
}

/** The history state of each navigation of ours. It lets the back arrow use the browser's Back. */
interface Step {
  readonly from: string;
  /** The problem on that page that led to this one. */
  readonly problem?: string;
  /** The path of the visitor's e-mail question: a page without a version that is loaded again does not know it. */
  readonly emailQuestion?: string | undefined;
}

/** The problems that lead from sign-up to login, from login to a new password, and from any page to login. */
export const addressTaken = "error.1101";
export const wrongPassword = "error.1001";
export const sessionEnded = { provenElsewhere: "page.user.ended", ended: "page.user.over" } as const;

const watchers = new Set<() => void>();

/** Calls `changed` after each change of the path. @returns the function that unsubscribes */
export function watchPath(changed: () => void): () => void {
  if (watchers.size === 0) addEventListener("popstate", notify);
  watchers.add(changed);
  return () => {
    watchers.delete(changed);
    if (watchers.size === 0) removeEventListener("popstate", notify);
  };
}

function notify() {
  for (const changed of watchers) changed();
}

/** The path in the address bar; `served` on the server and until hydration. */
export function usePathname(served: string): string {
  return useSyncExternalStore(
    watchPath,
    () => location.pathname,
    () => served,
  );
}

function navigate(address: string, { replace, state }: { readonly replace: boolean; readonly state: Step }) {
  history[replace ? "replaceState" : "pushState"](state, "", address);
  notify();
}

/** Question paths by locale and version, with 999 in place of the question's id (spec 001 §9). */
const templates = new Map<string, string>();
const inTemplate = new RegExp(`${templateQuestionId}/$`);

export function questionPath(locale: Locale, version: string, questionId: number): string {
  const key = `${locale}/${version}`;
  let template = templates.get(key);
  if (template === undefined)
    templates.set(key, (template = buildPath("questionnaire/question", locale, { version, question: String(templateQuestionId) })));
  return template.replace(inTemplate, `${questionId}/`);
}

/** A page's address that requests a release. */
export function asRelease(address: string, release: string): string {
  const { pathname, searchParams } = new URL(address, "http://here");
  searchParams.set(releaseParameter, release);
  return `${pathname}?${searchParams}`;
}

/** Keeps the `hf` parameter through the funnel (spec 001 §2). */
function withKept(address: string): string {
  if (!new URLSearchParams(location.search).has("hf")) return address;
  return `${address}${address.includes("?") ? "&" : "?"}hf`;
}

/**
 * Goes to an address of this site: in place for the same questionnaire and locale, else by a page load. A page without a version is shown in place where
 * loading it would log out. An address with a query is always loaded, because a page reads its query only when it loads.
 */
export function goToPath(address: string, here: Here, options: { readonly replace?: boolean } = {}): void {
  const match = matchPath(address);
  const inPlace =
    match.kind === "page" &&
    match.locale === here.locale &&
    (match.params.version === here.version || (match.params.version === undefined && isStorageBlocked));
  if (!inPlace) location[options.replace ? "replace" : "assign"](withKept(address));
  else if (address !== location.pathname) showPage(address, options);
}

/**
 * The address of a page with a query. With blocked storage only this page knows the session, so a page of the same version is shown in place. No address is loaded
 * then: the query is put where that page looks for it (`arrival`).
 */
export function addressWith(
  path: string,
  query: Readonly<Record<string, string>>,
  { here, arrival }: { readonly here: Here; readonly arrival: URLSearchParams },
): string {
  const match = matchPath(path);
  const inPlace = isStorageBlocked && match.kind === "page" && match.params.version === here.version;
  if (!inPlace) return withQuery(path, new URLSearchParams(query));
  for (const [name, value] of Object.entries(query)) arrival.set(name, value);
  return path;
}

/** Shows a page in place, whatever its locale or version, so that it works offline. `problem` says why it is shown. */
export function showPage(path: string, { replace = false, ...why }: { readonly replace?: boolean } & Omit<Step, "from"> = {}): void {
  navigate(withKept(path), { replace, state: { from: location.pathname, ...why } });
}

/** The navigation that led to the current page. */
export function lastStep(): { readonly [Name in keyof Step]-?: string | null } {
  const state: Partial<Record<keyof Step, unknown>> | null = typeof history === "undefined" ? null : history.state;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { from: text(state?.from), problem: text(state?.problem), emailQuestion: text(state?.emailQuestion) };
}

/** Whether a redirect led to this page, not Back or a reload. */
export function cameByRedirect(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "navigate" && entry.redirectCount > 0;
}

/** Reloads the page from the server. */
export function reloadPage(): void {
  location.reload();
}

/** Goes back to a path. Uses the browser's Back if it leads there, so that a later Back does not lead forward again. */
export function goBackTo(path: string, here: { readonly locale: Locale; readonly version: string }): void {
  if (lastStep().from === path) history.back();
  else goToPath(path, here);
}
