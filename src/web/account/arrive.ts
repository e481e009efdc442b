/** Coming in: what login, link and code have in common once the server has given a session (spec 001 §4). */
import type { Session as ServerSession } from "#core/api.ts";
import { standingOf } from "#core/entitlement.ts";
import { allowedBackend } from "#core/links.ts";
import { whereToNext } from "#core/questionnaire/destination.ts";
import { parseSavedState } from "#core/questionnaire/saved.ts";
import { buildPath, isPageRoute } from "#core/routes.ts";
import { goToPath, questionPath } from "../navigation.ts";
import { knownVersion, saveSession } from "../session/config.ts";
import { readState } from "../session/session.ts";
import type { WebSite } from "../siteContext.tsx";

export interface Arriving {
  readonly target?: number | null;
  readonly discount?: string | null;
  /** The page that stays in the history; a page that only passes on is replaced. */
  readonly replace?: boolean;
}

/** Keeps what the server gave: tokens with the back end that issued them, and whom they are for. */
export function keepSession({ services: { store, callBackend }, client }: WebSite, session: ServerSession): void {
  callBackend(allowedBackend(session.backendUrl, client.backends));
  saveSession(store, session);
  store.set("signupEmail", session.user.email);
  if (session.user.firstname) store.set("signupName", session.user.firstname);
}

/** Takes the saved state up and goes where it leads. Throws what the calls throw; then nothing has moved. */
export async function goOn(
  site: WebSite,
  session: ServerSession,
  { target = null, discount = null, replace = false }: Arriving = {},
): Promise<void> {
  const { locale, services } = site;
  const { api, store } = services;
  const { compiled } = site.session;
  const { uuid, email, firstname } = session.user;
  const version = knownVersion(session.features.questionnaire.version, locale);
  const here = { locale, version: compiled.definition.id };
  const user = { uuid, email, ...(firstname ? { firstname } : {}) };

  const [{ state, savedAt }, { entitlements }] = await Promise.all([
    api.call("questionnaireGet", { query: { uuid } }),
    api.call("entitlement"),
  ]);
  const { context } = site.session.snapshot();
  const standing = standingOf(entitlements[0], Date.now());
  if (version === compiled.definition.id) {
    // What was answered on this device before there was anything on the server counts as saved.
    const saved = state === null ? (ownState(store, version) ?? "none") : (parseSavedState(state) ?? "invalid");
    const start = Number(store.get("questionnaireRoot") ?? Number.NaN);
    const next = whereToNext({ standing, saved, compiled, context, user, target, discount, ...(Number.isInteger(start) ? { start } : {}) });
    site.session.adopt(next.state, state === null ? undefined : savedAt);
    store.remove("questionnaireTarget");
    if (next.kind === "question") return goToPath(questionPath(locale, version, next.state.currentQuestionId), here, { replace });
  } else if (standing === "none" || (standing === "lapsed" && !isPageRoute("questionnaire/reactivate"))) {
    // That version's own page takes it up (`saving.ts`).
    store.set("questionnaireTarget", target === null ? "" : String(target));
    return goToPath(buildPath("questionnaire/root", locale, { version }), here, { replace });
  }
  if (standing === "usable") return goToPath(buildPath("handle-your-subscription", locale), here, { replace });
  const query = discount === null ? "" : `?${new URLSearchParams({ discount })}`;
  goToPath(buildPath("questionnaire/reactivate", locale, { version }) + query, here, { replace });
}

function ownState(store: WebSite["services"]["store"], version: string) {
  const own = readState(store);
  return own?.id === version && own.selectedOptions.length > 0 ? own : null;
}
