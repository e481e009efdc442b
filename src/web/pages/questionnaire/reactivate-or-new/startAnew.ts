import { resumePoint } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import { isSignedIn, purchaseKeys } from "../../../device/storage.ts";
import type { WebSite } from "../../../siteContext.tsx";

type Visit = Pick<WebSite, "session" | "services">;

/**
 * The choice "new" (spec 001 §4, "Reactivate-or-new"): clears the purchase and reopens the questionnaire.
 * @returns the question after the existing answers; null when no question follows (no answers, or all are given and the former plan was bought with
 * them): the visitor must confirm a new start
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

/** Clears the answers but keeps the account. Without one, the sign-up is still to come. @returns the first question's id */
export function startAnew({ session, services: { store } }: Visit): number {
  const { user, signupDone } = session.snapshot().state;
  // The fresh state must replace the saved one.
  store.set("questionnaireReset", "1");
  const fresh = { ...initialState(session.compiled, user), signupDone: signupDone || isSignedIn(store) };
  session.adopt(fresh);
  return fresh.currentQuestionId;
}

/** Cancels starting over. */
export function keepOld({ services: { store } }: Visit): void {
  store.remove("questionnaireReset");
}
