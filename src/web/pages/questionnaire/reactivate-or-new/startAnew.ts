import { resumePoint } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState } from "#core/questionnaire/step.ts";
import type { WebSite } from "../../../siteContext.tsx";

type Visit = Pick<WebSite, "session" | "services">;

/**
 * The new choice (spec 001 §4, "Reactivate-or-new"): what was bought is forgotten and the questionnaire is open again.
 * @returns the question where the answers given go on; null when there are none, and it has to be confirmed that all begins anew
 */
export function chooseNew({ session, services: { store } }: Visit): number | null {
  const { compiled } = session;
  const { state } = session.snapshot();
  for (const key of ["paymentStatus", "paymentRetryUrl", "paymentProvider", "product", "questionnaireSkip"] as const) store.remove(key);
  const valid = state.id === compiled.definition.id && state.selectedOptions.length > 0;
  store.set("questionnaireReset", valid ? "1" : "asked");
  if (!valid) return null;
  const open: State = { ...state, finished: false, finishedTimestamp: undefined };
  session.adopt(open);
  return resumePoint(compiled, open);
}

/** Forgets the answers, keeps the person: signed up as before. @returns the first question's id */
export function startAnew({ session, services: { store } }: Visit): number {
  const { user } = session.snapshot().state;
  // What is started over on purpose goes over what was saved before.
  store.set("questionnaireReset", "1");
  const fresh = { ...initialState(session.compiled, user), signupDone: true };
  session.adopt(fresh);
  return fresh.currentQuestionId;
}

/** Nothing is started over after all. */
export function keepOld({ services: { store } }: Visit): void {
  store.remove("questionnaireReset");
}
