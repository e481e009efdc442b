/** Redirects from questions that need something the visitor lacks, or that ask for or sell something that they have. */
import { takesDaysFromSchedule } from "#blocks/daySelection/spec.ts";
import { pastSignup } from "#core/questionnaire/next.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
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
  // The visitor entered in the middle of the funnel (decision 061). Where the level is chosen, no target level is above an unknown one.
  const question = compiled.question(questionId);
  const levelView = compiled.firstOfType.InitialLevelView;
  const isTarget = question?.type === "TargetLevelView";
  if (isTarget && levelView !== undefined && visibleOptions(compiled, question, state, context).length === 0)
    return questionPath(locale, definition.id, levelView.id);
  // A plan needs a schedule, so that question comes first.
  const scheduleQuestion = definition.questions.find(({ id }) => nodes[id]?.choosesSchedule);
  const needsSchedule = usesSchedule || question?.contents.some(takesDaysFromSchedule) === true;
  if (state.schedule === undefined && scheduleQuestion !== undefined && needsSchedule)
    return questionPath(locale, definition.id, scheduleQuestion.id);
  // A visitor who has paid and returns to the plans must not pay again.
  const paid = pays && signedIn && services.store.get("paymentStatus") === "completed";
  return paid ? buildPath("questionnaire/thank-you", locale, { version: definition.id }) : null;
}
