/** Merges one person's answers from two devices: the newer saved state wins, and this device's unsaved answers are reapplied to it. */
import { type CompiledQuestionnaire, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import { migrateState } from "./destination.ts";
import { visibleOptions } from "./requirements.ts";
import { type ListField, type State } from "./state.ts";
import { step } from "./step.ts";

/** Number of equal answers at the start of two histories. */
export function commonAnswerCount(one: State, other: State): number {
  const differs = one.selectedOptions.findIndex(({ questionId, optionId }, index) => {
    const theirs = other.selectedOptions[index];
    return theirs?.questionId !== questionId || theirs.optionId !== optionId;
  });
  return differs < 0 ? one.selectedOptions.length : differs;
}

/**
 * The newer state, with this device's answers after the first `synced` ones reapplied, up to the first that no longer fits. The schedule,
 * days and lists of this device are kept if a reapplied answer belongs to a question that asks for them.
 */
export function rebaseState(compiled: CompiledQuestionnaire, newer: State, ours: State, synced: number, context: Context): State {
  let state: State = { ...migrateState(compiled, newer, context), signupDone: true, user: { ...newer.user, ...ours.user } };
  for (const { questionId, optionId } of ours.selectedOptions.slice(synced)) {
    const node = compiled.nodes[questionId];
    const here = questionId === state.currentQuestionId || state.visitedQuestionIds.includes(questionId);
    if (!here || !node || !visibleOptions(compiled, node.question, state, context).some(({ id }) => id === optionId)) break;
    const schedule = node.choosesSchedule ? scheduleOf(compiled, ours.schedule) : undefined;
    if (schedule !== undefined) state = step(compiled, state, { type: "chooseSchedule", scheduleId: schedule.id }, context).state;
    if (node.choosesDays) {
      // The other device's answers may have given the schedule another number of days. Then the visitor chooses them anew.
      if (state.studySchedule?.practiseDaysPerWeek !== ours.studySchedule?.practiseDaysPerWeek) break;
      state = step(compiled, state, { type: "chooseDays", days: ours.days }, context).state;
    }
    for (const { type } of node.question.contents) if (isList(type)) state = { ...state, [type]: ours[type] };
    state = step(compiled, state, { type: "answer", questionId, optionId }, context).state;
  }
  return ours.finished && !state.finished ? { ...state, finished: true, finishedTimestamp: ours.finishedTimestamp } : state;
}

function isList(type: string): type is ListField {
  return type === "skillsToImprove" || type === "moreInfoOf" || type === "programChangeWish";
}
