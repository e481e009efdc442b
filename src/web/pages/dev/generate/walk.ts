/** Finds the shortest path that a visitor can take through a questionnaire to a question. */
import { type CompiledQuestionnaire, isWayBack } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { keyMaker } from "#core/questionnaire/explore.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, step } from "#core/questionnaire/step.ts";

/** The state of a visitor at a question, with all earlier answers; null if no path leads there. */
export function walkTo(compiled: CompiledQuestionnaire, questionId: number, context: Context): State | null {
  const keyOf = keyMaker(compiled);
  const waiting = [initialState(compiled)];
  const seen = new Set<string>();
  // The loop also visits states that are appended while it runs.
  for (const state of waiting) {
    if (state.currentQuestionId === questionId) return state;
    const question = compiled.question(state.currentQuestionId);
    // Histories with the same key lead to the same questions.
    const key = keyOf(state, context);
    if (seen.has(key) || question === undefined) continue;
    seen.add(key);
    const ready = withPace(compiled, state, context);
    for (const option of visibleOptions(compiled, question, ready, context)) {
      if (isWayBack(option)) continue;
      waiting.push(step(compiled, ready, { type: "answer", questionId: question.id, optionId: option.id }, context).state);
    }
  }
  return null;
}

/** Fills in a question's schedule and days. */
function withPace(compiled: CompiledQuestionnaire, state: State, context: Context): State {
  const node = compiled.nodes[state.currentQuestionId];
  const [schedule] = compiled.definition.schedules;
  if (node?.choosesSchedule && schedule !== undefined)
    return step(compiled, state, { type: "chooseSchedule", scheduleId: schedule.id }, context).state;
  if (node?.choosesDays)
    return step(
      compiled,
      state,
      { type: "chooseDays", days: [0, 1, 2, 3, 4, 5, 6].slice(0, state.studySchedule?.practiseDaysPerWeek ?? 5) },
      context,
    ).state;
  return state;
}
