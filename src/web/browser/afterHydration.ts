/** Runs once after hydration: cleans the address, follows other tabs and devices, and finds out the visitor's country. */
import type { Locale } from "#core/locales.ts";
import { localeCookieName } from "#core/page.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { mergeState } from "#core/questionnaire/saved.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import { withQuery } from "#core/withQuery.ts";
import { accountOf } from "../api/claims.ts";
import type { Api } from "../api/client.ts";
import { isPlainClick } from "../clicks.ts";
import { cameByRedirect, goToPath, reloadPage, questionPath } from "../navigation.ts";
import { persistently } from "../persistently.ts";
import type { Session } from "../session/session.ts";
import { backendParameter } from "../device/arrival.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { readState } from "../device/readState.ts";
import { isSignedIn, isStorageBlocked, type KeyValueStore } from "../device/storage.ts";
import { bearTranslation } from "./translation.ts";

/** Lifetime of the language cookie, seconds. */
const localeMemory = 365 * 24 * 60 * 60;

export interface HydrationParts {
  readonly session: Session;
  readonly store: KeyValueStore;
  readonly api: Api;
  readonly arrival: URLSearchParams;
  /** The path of the page that was hydrated. */
  readonly servedPath: string;
  readonly located: () => Promise<void>;
  readonly loadLaterPages: () => Promise<unknown>;
  /** Loads analytics. */
  readonly loadAnalytics: () => Promise<void>;
}

export function runAfterHydration(parts: HydrationParts): void {
  const { session, store, loadAnalytics } = parts;
  const { locale } = session.snapshot().context;
  const isAnswered = takeAnswersOut();
  storeLocale(store, locale);
  bearTranslation();
  document.documentElement.dataset["ready"] = "true";
  addEventListener("online", () => {
    void session.flush(false);
    void loadAnalytics();
  });
  followOtherTabs(session, store);
  stayOnTheWay(session, parts.servedPath);
  rememberBackend(parts.arrival);
  keepHeaderHidden();
  if (isStorageBlocked) followLinksInPlace(parts);
  skipInPlace();
  void loadAnalytics();
  void persistently(() => locateAndIdentify(parts));
  if (isAnswered) goToAnswers(session);
  followOtherDevices(session, store);
}

/** Stores the language for the site's root: that of the page seen last (spec 000 §2). Back may show a page that the browser has kept. */
function storeLocale(store: KeyValueStore, locale: Locale): void {
  const keep = () => {
    document.cookie = `${localeCookieName}=${locale}; path=/; max-age=${localeMemory}; samesite=lax`;
    const device = readDevice(store);
    if (device !== null && device.locale !== locale) saveDevice(store, { ...device, locale });
  };
  keep();
  addEventListener("pageshow", ({ persisted }) => persisted && keep());
}

/** Removes the answers from the address: the session has them. @returns whether there were any */
function takeAnswersOut(): boolean {
  const query = new URLSearchParams(location.search);
  if (!query.has("a")) return false;
  query.delete("a");
  history.replaceState(history.state, "", withQuery(location.pathname, query));
  return true;
}

/** Plain links to our pages keep the `hf` parameter too, as `goToPath` does (spec 001 §2). */
function keepHeaderHidden() {
  addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (link === null || link.origin !== location.origin || matchPath(link.pathname).kind === "none") return;
    const query = new URLSearchParams(link.search);
    if (query.has("hf") || !new URLSearchParams(location.search).has("hf")) return;
    query.set("hf", "");
    link.search = String(query);
  });
}

/**
 * Where storage is blocked, a page that is loaded knows neither the session nor the answers (decision 040), so plain links change pages in place,
 * too. Legal documents come from the server.
 */
function followLinksInPlace({ session, arrival }: HydrationParts) {
  const { locale } = session.snapshot().context;
  const { id: version } = session.compiled.definition;
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== location.origin || link.target !== "" || link.hash !== "" || !isPlainClick(event)) return;
    const match = matchPath(link.pathname);
    if (match.kind !== "page" || match.route.startsWith("legal/") || match.locale !== locale) return;
    // A page that is shown in place finds no query but the one that the visitor arrived with.
    const knowsQuery = [...new URLSearchParams(link.search)].every(([name, value]) => name === "hf" || arrival.get(name) === value);
    if (!knowsQuery || (match.params.version ?? version) !== version) return;
    event.preventDefault();
    goToPath(link.pathname, { locale, version });
  });
}

/** The link to the content moves the focus only: its own entry in the browser's history would not tell what led to this page (`lastStep`). */
function skipInPlace() {
  addEventListener("click", (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event;
    const isLink = target instanceof Element && target.closest('a[href="#main"]') !== null;
    if (!isLink || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    document.getElementById("main")?.focus();
  });
}

function followOtherTabs(session: Session, store: KeyValueStore) {
  // Logged out in another tab: this tab must not keep or show personal data any longer.
  const { locale } = session.snapshot().context;
  const login = () => goToPath(buildPath("login/link", locale), { locale, version: session.compiled.definition.id }, { replace: true });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === "token" && newValue === null) login();
    else if (key === "token" && isOthers(session, newValue)) reloadPage();
    else if (key !== "questionnaireState" || session.snapshot().state.signupDone) return;
    // Started over in another tab: this page would save its old answers again.
    else if (newValue === null) reloadPage();
    else takeStored(session, store);
  });
  // Another tab may have stored answers after this page read the stored state, before this page listened.
  if (wasAnsweredElsewhere(session, store)) takeStored(session, store);
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    const { uuid: visitor } = session.snapshot().state.user;
    if (visitor !== undefined && readState(store)?.user.uuid !== visitor) reloadPage();
    else takeStored(session, store);
  });
}

/** Whether the device has stored answers of this version that differ from this page's. This page stores its own at once, so another tab has given them. */
function wasAnsweredElsewhere({ compiled, snapshot }: Session, store: KeyValueStore): boolean {
  const { state } = snapshot();
  const stored = readState(store);
  if (state.signupDone || stored?.id !== compiled.definition.id) return false;
  return stored.signupDone || encodeAnswers(mergeState(compiled, stored)) !== encodeAnswers(state);
}

/** Takes over answers from another tab, or from the time when this page was left. Otherwise this page would store its older ones over them. */
function takeStored(session: Session, store: KeyValueStore) {
  const stored = readState(store);
  // Signed up in another tab: only a new page can take over an account.
  if (stored?.signupDone === true && stored.id === session.compiled.definition.id && !session.snapshot().state.signupDone)
    return reloadPage();
  session.takeStored(stored);
  if (isOffTheWay(session)) goToCurrent(session);
}

/**
 * Back and Forward may lead to a question that an option leading back has taken out of the answers. Whoever went on from there would lack the answer
 * before it, and with it a level or the days.
 */
function stayOnTheWay(session: Session, servedPath: string) {
  const stay = () => isOffTheWay(session) && goToCurrent(session);
  // Captured, so that neither the page nor analytics follows the other address.
  addEventListener("popstate", stay, true);
  // Back may have led here by a page load, or in place after a reload, before anything listened.
  const [entry] = performance.getEntriesByType("navigation");
  const isBack = entry instanceof PerformanceNavigationTiming && entry.type === "back_forward";
  if (isBack || location.pathname !== servedPath) stay();
}

/** Until it succeeds, the defaults apply. The sign-up asks again. */
async function locateAndIdentify({ session, store, api, located, loadLaterPages }: HydrationParts) {
  await located();
  // Loads the sign-up module and the table of pages early: a deployment may remove it later, and a reload would lose the typed fields.
  const [{ identify }] = await Promise.all([import("../session/config.ts"), import("../session/submit.ts"), loadLaterPages()]);
  await identify(session, api, store);
}

/**
 * Goes to the question that follows the link's answers. It does so on a version's first question, if the version's root redirected there
 * (spec 001 §2), and on a question that the link's answers lead to but the visitor's own answers do not.
 */
function goToAnswers(session: Session) {
  const { id: version, initialQuestion } = session.compiled.definition;
  const { locale } = session.snapshot().context;
  const isAtRoot = cameByRedirect() && location.pathname === questionPath(locale, version, initialQuestion);
  if (isAtRoot || isOffTheWay(session)) goToCurrent(session);
}

/** Whether the token is of another account than the page's answers: the page would store them over that account's. */
function isOthers({ snapshot }: Session, token: string | null): boolean {
  const { state } = snapshot();
  const account = accountOf(token);
  return state.signupDone && account !== null && state.user.uuid !== undefined && account !== state.user.uuid;
}

/** Stores the back end that a mail's link named, for this tab until its login: the login may be on another page (`namedBackend`). */
function rememberBackend(arrival: URLSearchParams): void {
  const named = arrival.get(backendParameter);
  if (named === null) return;
  try {
    sessionStorage.setItem(backendParameter, named);
  } catch {
    // Blocked or full: it counts on this page only.
  }
}

function goToCurrent({ compiled, snapshot }: Session) {
  const { id: version } = compiled.definition;
  const { state, context } = snapshot();
  const { locale } = context;
  goToPath(questionPath(locale, version, state.currentQuestionId), { locale, version }, { replace: true });
}

/** Whether a question is shown to which this visitor's answers have not led. */
function isOffTheWay({ compiled, snapshot }: Session): boolean {
  const { state } = snapshot();
  const match = matchPath(location.pathname);
  if (match.kind !== "page" || match.route !== "questionnaire/question" || match.params.version !== compiled.definition.id) return false;
  const shown = Number(match.params.question);
  return state.selectedOptions.length > 0 && shown !== state.currentQuestionId && !state.visitedQuestionIds.includes(shown);
}

function followOtherDevices(session: Session, store: KeyValueStore) {
  const match = matchPath(location.pathname);
  if (!isSignedIn(store) || match.kind !== "page" || !match.route.startsWith("questionnaire/")) return;
  // Follows another device only from the current question, not from an earlier one that the visitor looks back at.
  const isWhereItWas =
    match.params.question === String(session.snapshot().state.currentQuestionId) || store.get("questionnaireTarget") !== null;
  session.catchUp(match.route === "questionnaire/question" && isWhereItWas).catch(() => undefined);
}
