/** Redirects from questions that need something the visitor lacks, or that ask for or sell something that they have. */
import { takesDaysFromSchedule } from "#blocks/daySelection/spec.ts";
import { pastSignup } from "#core/questionnaire/next.ts";
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";
import type { WebSite } from "../../../siteContext.tsx";

/** Requirements of a question's contents. */
export interface Needs {
  readonly pays: boolean;
  readonly usesSchedule: boolean;
  readonly signedIn: boolean;
}

/** The address that the question redirects to, or null. */
export function questionRedirect(
  { locale, session: { compiled, snapshot }, services }: WebSite,
  questionId: number,
  { pays, usesSchedule, signedIn }: Needs,
): string | null {
  const { definition, nodes } = compiled;
  const { state, context } = snapshot();
  // The visitor has an account, so the password is not asked for again: they continue at the saved place (spec 001 §4, "Submit flow", 6).
  if (state.signupDone && nodes[questionId]?.asksPassword) {
    const saved = pastSignup(compiled, state, state.currentQuestionId, context);
    if (saved !== questionId) return questionPath(locale, definition.id, saved);
  }
  // The visitor entered in the middle of the funnel. A plan needs a schedule, so that question comes first (decision 061).
  const scheduleQuestion = definition.questions.find(({ id }) => nodes[id]?.choosesSchedule);
  const needsSchedule = usesSchedule || compiled.question(questionId)?.contents.some(takesDaysFromSchedule) === true;
  if (state.schedule === undefined && scheduleQuestion !== undefined && needsSchedule)
    return questionPath(locale, definition.id, scheduleQuestion.id);
  // A visitor who has paid and returns to the plans must not pay again.
  const paid = pays && signedIn && services.store.get("paymentStatus") === "completed";
  return paid ? buildPath("questionnaire/thank-you", locale, { version: definition.id }) : null;
}
