/** A visitor who answers, chooses and goes back at random, as the screens allow. */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { withoutUnreachedInput } from "#core/questionnaire/explore.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { step } from "#core/questionnaire/step.ts";

/** A walker's action at a question: `pick` selects an option, `back` goes to an earlier question instead. */
export interface Stride {
  readonly pick: number;
  readonly back: boolean;
}

/** The state after one stride; null when no option is visible. */
export function stride(compiled: CompiledQuestionnaire, state: State, context: Context, { pick, back }: Stride): State | null {
  const question = compiled.question(state.currentQuestionId);
  if (question === undefined) return null;
  const target = back && state.visitedQuestionIds.length > 0 ? state.visitedQuestionIds[pick % state.visitedQuestionIds.length] : undefined;
  if (target !== undefined)
    return withoutUnreachedInput(compiled, step(compiled, state, { type: "moveTo", questionId: target }, context).state);

  const shows = (from: State, type: string) => visibleContents(compiled, question, from, context).some((item) => item.type === type);
  const { schedules } = compiled.definition;
  const schedule = schedules[pick % Math.max(1, schedules.length)];
  let ready = state;
  if (schedule !== undefined && shows(ready, "studySchedule"))
    ready = step(compiled, ready, { type: "chooseSchedule", scheduleId: schedule.id }, context).state;
  if (shows(ready, "daySelection")) ready = step(compiled, ready, { type: "chooseDays", days: [pick % 7] }, context).state;
  const options = visibleOptions(compiled, question, ready, context);
  const option = options[Math.floor(pick / 7) % Math.max(1, options.length)];
  if (option === undefined) return null;
  // After going home, the visitor returns to the same question and answers it again.
  if (option.type === "ToHomePage" && compiled.nodes[question.id]?.isLastLevel !== true) return state;
  if (option.type === undefined || option.type === "Yes") {
    if (shows(ready, "signupEmail"))
      ready = step(compiled, ready, { type: "setUser", user: { email: "visitor@example.com" } }, context).state;
    if (shows(ready, "signupPassword"))
      ready = step(compiled, ready, { type: "signedUp", uuid: ready.user.uuid ?? "visitor" }, context).state;
    if (shows(ready, "signupName")) ready = step(compiled, ready, { type: "setUser", user: { firstname: "Visitor" } }, context).state;
  }
  return withoutUnreachedInput(
    compiled,
    step(compiled, ready, { type: "answer", questionId: question.id, optionId: option.id }, context).state,
  );
}
