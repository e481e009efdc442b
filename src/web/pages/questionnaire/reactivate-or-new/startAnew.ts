import { isVersionName, type VersionName } from "#content/questionnaires/known.ts";
import { resumePoint } from "#core/questionnaire/saved.ts";
import type { State, StateUser } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { accountOf } from "../../../api/claims.ts";
import { accountEmail } from "../../../device/accountAddress.ts";
import { isSignedIn, type KeyValueStore, purchaseKeys } from "../../../device/storage.ts";
import type { WebSite } from "../../../siteContext.tsx";

type Visit = Pick<WebSite, "session" | "services">;

/** The version of the account's answers if this page has another one. Only that version's page can go on with them. */
export async function otherVersion({ session, services: { api, store } }: Visit): Promise<VersionName | null> {
  const uuid = accountOf(store.get("token"));
  if (uuid === null || session.snapshot().state.signupDone) return null;
  const { state } = await api.call("questionnaireGet", { query: { uuid } });
  const isOther = typeof state === "object" && state !== null && state.id !== session.compiled.definition.id;
  return isOther && isVersionName(state.id) ? state.id : null;
}

/**
 * The choice "new" (spec 001 §4, "Reactivate-or-new"): clears the purchase and reopens the questionnaire.
 * @returns the question after the existing answers. Null when the visitor must confirm a new start: there are no answers, or all are given and the former plan
 * was bought with them
 */
export function chooseNew({ session, services: { store } }: Visit): number | null {
  const { compiled } = session;
  const { state } = session.snapshot();
  for (const key of purchaseKeys) store.remove(key);
  const open: State = { ...state, finished: false, finishedTimestamp: undefined };
  const next = resumePoint(compiled, open);
  const isAtCheckout = compiled.question(next)?.contents.some(({ type }) => type === "paddle") === true;
  const valid = state.id === compiled.definition.id && state.selectedOptions.length > 0 && !isAtCheckout;
  store.set("questionnaireReset", valid ? "1" : "asked");
  if (!valid) return null;
  session.adopt(open);
  return next;
}

/** Clears the answers but keeps the account, if there is one. @returns the first question's id */
export function startAnew({ session, services: { store } }: Visit): number {
  const { user, signupDone } = session.snapshot().state;
  // The fresh state must replace the saved one.
  store.set("questionnaireReset", "1");
  const fresh = { ...initialState(session.compiled, accountUser(store) ?? user), signupDone: signupDone || isSignedIn(store) };
  session.adopt(fresh);
  return fresh.currentQuestionId;
}

/** Who is signed in. The page of another version than the account's has not taken over the account's state. */
function accountUser(store: KeyValueStore): StateUser | null {
  const uuid = accountOf(store.get("token"));
  const [email, firstname] = [accountEmail(store), store.get("signupName")];
  return uuid === null ? null : { uuid, ...(email !== null && { email }), ...(firstname !== null && { firstname }) };
}

/** Cancels starting over. */
export function keepOld({ services: { store } }: Visit): void {
  store.remove("questionnaireReset");
}
