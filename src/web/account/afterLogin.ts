/** After login by password, link or code: stores the session and goes on with the questionnaire (spec 001 §4). */
import * as codes from "#core/errorCodes.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import type { Session as ServerSession } from "#core/api.ts";
import { planStatusOf } from "#core/entitlement.ts";
import { allowedBackend, discountIn, reactivateTarget, targetIn } from "#core/links.ts";
import type { Locale } from "#core/locales.ts";
import { resumedState, destinationFor } from "#core/questionnaire/destination.ts";
import { rebaseState } from "#core/questionnaire/merge.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { buildPath } from "#core/routes.ts";
import { accountOf } from "../api/claims.ts";
import { ApiError } from "../api/request.ts";
import { backendParameter, spendToken } from "../device/arrival.ts";
import { addressWith, asRelease, goToPath, questionPath, reloadPage, sessionEnded, showPage } from "../navigation.ts";
import { knownVersion } from "../session/config.ts";
import { clearOther, leaveOther } from "../shell/logOut.ts";
import { saveSession } from "../device/cachedConfig.ts";
import { readState } from "../device/readState.ts";
import { storedSync, storeServerState } from "../device/storedState.ts";
import { staysOnRelease } from "../session/staying.ts";
import { isStorageBlocked, type KeyValueStore, replacedSession, storedStart } from "../device/storage.ts";
import type { WebSite } from "../siteContext.tsx";

interface Arriving {
  /** Password login: without a saved state, the questions begin (spec 001 §4, "Password login"). */
  readonly byPassword?: boolean;
  /** Replaces this page in the history. */
  readonly replace?: boolean;
}

/**
 * Stores a session: its tokens, the back end that issued them, and the account's address. Another account's answers, name and payment are cleared:
 * they must not become this account's.
 */
export function storeSession(site: WebSite, session: ServerSession): void {
  const { services, client, locale } = site;
  const { store, callBackend } = services;
  if (isOthers(store, session.user.uuid)) {
    // In the page too: Back may show its questions before the account's answers have come.
    site.session.adopt(initialState(site.session.compiled));
    clearOther(store);
  }
  callBackend(allowedBackend(session.backendUrl, client.backends));
  // The session names its back end.
  ofTab((storage) => storage.removeItem(backendParameter));
  saveSession(store, session);
  store.set("theme", traitsOf(knownVersion(session.features.questionnaire.version, locale)).theme);
  store.set("signupEmail", session.user.email);
  if (session.user.firstname) store.set("signupName", session.user.firstname);
}

function ofTab<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    // Blocked: nothing was stored.
    return null;
  }
}

/** Whether the device has another account's session or answers. Answers from before a sign-up belong to whoever logs in. */
function isOthers(store: KeyValueStore, uuid: string): boolean {
  const state = readState(store);
  const owner = accountOf(store.get("token")) ?? (state?.signupDone === true ? state.user.uuid : undefined);
  return owner !== undefined && owner !== uuid;
}

/**
 * The back end that a mail's link named, if it is one of ours. Calls with the link's tokens, and those that log in, go to it, because no
 * other back end knows the account. The device's own back end stays, whatever geo answers meanwhile.
 */
export function namedBackend({ services: { arrival, report }, client }: WebSite): string | undefined {
  const named = arrival.get(backendParameter) ?? ofTab((storage) => storage.getItem(backendParameter));
  const allowed = allowedBackend(named, client.backends);
  if (named !== null && allowed === null) report(new Error("A link names an unknown back end"));
  return allowed ?? undefined;
}

/** The address of a link's account, because the browser remembers another one. The link is not used up. */
interface OthersLink {
  readonly otherEmail: string;
}

/**
 * Exchanges a link's token for a session, without storing it. If the browser remembers another address than the link's account has, the visitor has to
 * agree first (`hasAgreed`). Whoever typed the account's address here need not be asked.
 */
export async function exchangeToken(site: WebSite, token: string, hasAgreed = false): Promise<ServerSession | OthersLink> {
  const { api, arrival, store } = site.services;
  const knownAddress = hasAgreed ? undefined : (store.get("signupEmail") ?? undefined);
  const body = { token, ...replacedSession(store), ...(knownAddress !== undefined && { knownAddress }) };
  const session = await api.call("token", { body, at: namedBackend(site) }).catch(othersLinkIn);
  if ("otherEmail" in session) return session;
  const { email, uuid } = session.user;
  // A server of the previous release does not compare the addresses. It has used the link.
  if (knownAddress !== undefined && knownAddress.toLowerCase() !== email) return { otherEmail: email };
  spendToken(arrival);
  if (hasAgreed) await leaveOther(site.services, uuid);
  else await leaveSignedIn(site, session);
  return session;
}

function othersLinkIn(error: unknown): OthersLink {
  const otherEmail = error instanceof ApiError && error.code === codes.forbidden ? error.fields["email"] : undefined;
  if (otherEmail === undefined) throw error;
  return { otherEmail };
}

/**
 * After a login by link or code: ends the browser's earlier session if it belongs to another account. The server has ended an earlier session only if it
 * belongs to the same account (decision 214).
 */
export async function leaveSignedIn({ services }: WebSite, { user: { uuid } }: ServerSession): Promise<void> {
  const signedIn = accountOf(services.store.get("token"));
  if (signedIn !== null && signedIn !== uuid) await leaveOther(services, uuid);
}

/** A link's target and discount. */
export interface LinkTarget {
  readonly target: number | null;
  readonly discount: string | null;
}

/** Stores where a login that begins on the reactivation page leads back to. */
export function storeReactivation(store: KeyValueStore, discount: string | null): void {
  store.set("questionnaireTarget", String(reactivateTarget));
  if (discount !== null) store.set("discount", discount);
}

/**
 * Stores a link's target and discount, in place of an older link's. A link without a target removes the older ones, except those of a login that began on the
 * reactivation page.
 */
export function storeLinkTarget(store: KeyValueStore, { target, discount }: LinkTarget): void {
  const isReactivation = target === null && store.get("questionnaireTarget") === String(reactivateTarget);
  if (target !== null) store.set("questionnaireTarget", String(target));
  else if (!isReactivation) store.remove("questionnaireTarget");
  if (discount !== null) store.set("discount", discount);
  else if (!isReactivation) store.remove("discount");
}

/**
 * After a login, sends what could not be sent without a session. There may be something, because Back leads from the login to a question that can still be
 * answered (spec 001 §4, "Submit flow", 4 and 5). A failure must not keep anybody from going on.
 */
async function sendMissed({ api, store }: WebSite["services"], { user: { uuid, firstname } }: ServerSession): Promise<void> {
  const here = readState(store)?.user;
  const consent = store.get("marketingConsentDue");
  const calls: Promise<unknown>[] = [];
  if (!firstname && here?.uuid === uuid && here.firstname) calls.push(api.call("updateName", { body: { firstname: here.firstname } }));
  if (consent === "Yes" || consent === "No") {
    store.remove("marketingConsentDue");
    calls.push(api.call("marketingConsent", { body: { consent: consent === "Yes" } }));
  }
  await Promise.allSettled(calls);
}

/** Takes over the saved state and goes to its page, or to the stored target. Throws the calls' errors, before any navigation. */
export async function goOn(site: WebSite, session: ServerSession, arriving: Arriving = {}): Promise<void> {
  const { locale, services } = site;
  const { api, store } = services;
  const { compiled } = site.session;
  const { uuid, email, firstname } = session.user;
  const version = knownVersion(session.features.questionnaire.version, locale);
  const here = { locale, version: compiled.definition.id };
  const replace = arriving.replace ?? false;
  const user = { uuid, email, ...(firstname ? { firstname } : {}) };

  const [{ state, savedAt }, { entitlements }] = await Promise.all([
    api.call("questionnaireGet", { query: { uuid } }),
    api.call("entitlement"),
    sendMissed(services, session),
  ]);
  // Without a state on the server, the device's answers count as the saved ones.
  const saved = state ?? ownState(store, version) ?? "none";
  const kept = store.get("questionnaireTarget");
  const asked = targetIn(kept);
  const target = asked ?? (saved === "none" && arriving.byPassword ? compiled.definition.embeddedQuestion : null);
  const discount = discountIn(store.get("discount"));
  const planStatus = planStatusOf(entitlements[0], Date.now());
  // Who has paid on another device is a customer here too: pages lead them to their plan instead of selling another.
  if (planStatus === "usable") store.set("paymentStatus", "completed");
  const next = destinationFor(planStatus, asked === null && kept === String(reactivateTarget));
  for (const key of ["questionnaireTarget", "discount"] as const) store.remove(key);

  const { context, state: own } = site.session.snapshot();
  const isOwn = own.user.uuid === uuid && own.id === version;
  // The account has started over on this device, and its session ended before that was saved.
  const hasStartedOver = isOwn && own.signupDone && store.get("questionnaireReset") === "1";
  if (typeof saved === "object" && !hasStartedOver && staysOnRelease({ compiled, release: site.session.release, context }, saved)) {
    storeServerState(store, { ...saved, signupDone: true, user: { ...saved.user, ...user } }, savedAt);
    if (next === "question") {
      storeAim(store, target);
      return goToPath(asRelease(questionPath(locale, version, saved.currentQuestionId), saved.release), here, { replace });
    }
  } else if (version === compiled.definition.id) {
    const sync = storedSync(store);
    // The account's answers on this device since its last save, if its session ended in between, are kept.
    const hasUnsaved = typeof saved === "object" && sync?.unsaved === true && isOwn && own.id === saved.id;
    const answered = hasStartedOver ? own : hasUnsaved ? rebaseState(compiled, saved, own, sync.synced, context) : saved;
    const resumed = resumedState({ saved: answered, compiled, context, user, target, start: storedStart(store) });
    site.session.adopt(resumed, state === null ? undefined : savedAt);
    if (next === "question") return goToPath(questionPath(locale, version, resumed.currentQuestionId), here, { replace });
  } else if (next === "question") {
    if (isStorageBlocked) return showLoginOf(version, locale, replace);
    storeAim(store, target);
    return goToPath(buildPath("questionnaire/root", locale, { version }), here, { replace });
  }
  if (next === "subscription") return goToPath(buildPath("handle-your-subscription", locale), here, { replace });
  goToReactivation(site, { version, discount, replace });
}

/** With blocked storage no other page knows the session. A login on a page of the account's version goes on in place. */
function showLoginOf(version: string, locale: Locale, replace: boolean): void {
  showPage(buildPath("questionnaire/user", locale, { version }), { problem: sessionEnded.ended, replace });
  reloadPage();
}

interface Reactivation {
  /** The account's version. */
  readonly version: string;
  readonly discount: string | null;
  readonly replace: boolean;
}

function goToReactivation({ locale, services: { arrival }, session }: WebSite, { version, discount, replace }: Reactivation): void {
  const here = { locale, version: session.compiled.definition.id };
  const path = buildPath("questionnaire/reactivate", locale, { version });
  goToPath(addressWith(path, discount === null ? {} : { discount }, { here, arrival }), here, { replace });
}

/** For the page of another version or release, which takes over the saved state (`saving.ts`): only it knows whether the target exists. */
function storeAim(store: KeyValueStore, target: number | null): void {
  store.set("questionnaireTarget", target === null ? "" : String(target));
}

function ownState(store: KeyValueStore, version: string) {
  const own = readState(store);
  return own?.id === version && own.selectedOptions.length > 0 ? own : null;
}
