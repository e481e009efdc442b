import { initialState } from "#core/questionnaire/step.ts";
import type { WebSite } from "../../../siteContext.tsx";

/** Forgets the answers and what was bought, keeps the person: signed up as before. @returns the first question's id */
export function startAnew({ session, services: { store } }: Pick<WebSite, "session" | "services">): number {
  const { user } = session.snapshot().state;
  // What is started over on purpose goes over what was saved before.
  store.set("questionnaireReset", "1");
  for (const key of ["paymentStatus", "paymentRetryUrl", "paymentProvider", "product", "questionnaireSkip"] as const) store.remove(key);
  const fresh = { ...initialState(session.compiled, user), signupDone: true };
  session.adopt(fresh);
  return fresh.currentQuestionId;
}
