/** Answers carried in a link, for taps before or without JavaScript: `?a=2.1~3.4~s2~d024`. */
import { type CompiledQuestionnaire, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import { visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";
import { initialState, step } from "./step.ts";

/** The answers in order, then the schedule (`s2`) and the days (`d024`). Contains nothing personal; empty without answers. */
export function encodeAnswers(state: State): string {
  const answers = state.selectedOptions.map(({ questionId, optionId }) => `${questionId}.${optionId}`);
  if (state.schedule !== undefined) answers.push(`s${state.schedule}`);
  if (state.days.length > 0) answers.push(`d${state.days.join("")}`);
  return answers.join("~");
}

/**
 * Replays a code through the engine from the initial state. Schedule and days are set first: they have no effect before the question that asks for
 * them is reached. The code is untrusted, so replay stops at the first answer that the visitor could not have given at that point.
 */
export function replayAnswers(compiled: CompiledQuestionnaire, code: string, context: Context): State {
  const segments = code.split("~");
  const first = (pattern: RegExp) => segments.flatMap((segment) => pattern.exec(segment)?.[1] ?? [])[0];
  const schedule = scheduleOf(compiled, Number(first(/^s(\d{1,4})$/)));
  const days = [...(first(/^d([0-6]{1,7})$/) ?? "")].map(Number);

  let state = initialState(compiled);
  if (schedule !== undefined) state = step(compiled, state, { type: "chooseSchedule", scheduleId: schedule.id }, context).state;
  state = step(compiled, state, { type: "chooseDays", days }, context).state;
  for (const segment of segments) {
    const match = /^(\d{1,4})\.(\d{1,4})$/.exec(segment);
    if (match === null) continue;
    const questionId = Number(match[1]);
    const optionId = Number(match[2]);
    const question = compiled.question(questionId);
    if (
      question === undefined ||
      questionId !== state.currentQuestionId ||
      !visibleOptions(compiled, question, state, context).some((option) => option.id === optionId)
    )
      break;
    state = step(compiled, state, { type: "answer", questionId, optionId }, context).state;
  }
  return state;
}
