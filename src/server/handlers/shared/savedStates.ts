/** Checks whether a state could have come about in its questionnaire, before it is saved (spec 000 §4). */
import { type CompiledQuestionnaire, scheduleOf } from "#core/questionnaire/compile.ts";
import { paceOf } from "#core/questionnaire/plan.ts";
import type { State } from "#core/questionnaire/state.ts";

/**
 * Checks a state. Returns it with the values that the definition determines, or the field that does not fit. Every answer must exist in the
 * definition, and the history must match the answers. The order of questions is not checked: it depends on the visitor's country and platform, which
 * this request need not have.
 */
export function checkedState(compiled: CompiledQuestionnaire, state: State): { readonly state: State } | { readonly misfit: string } {
  const { visitedQuestionIds, selectedOptions } = state;
  const schedule = scheduleOf(compiled, state.schedule);
  if (state.schedule !== undefined && schedule === undefined) return { misfit: "state.schedule" };
  if (compiled.question(state.currentQuestionId) === undefined) return { misfit: "state.currentQuestionId" };

  if (visitedQuestionIds.length !== selectedOptions.length || new Set(visitedQuestionIds).size !== visitedQuestionIds.length)
    return { misfit: "state.visitedQuestionIds" };
  for (const [index, { questionId, optionId }] of selectedOptions.entries()) {
    if (compiled.nodes[questionId]?.answers[optionId] === undefined) return { misfit: "state.selectedOptions" };
    if (visitedQuestionIds[index] !== questionId) return { misfit: "state.visitedQuestionIds" };
  }

  if (schedule === undefined) return { state: { ...state, studySchedule: undefined, programEndDate: undefined } };
  return { state: { ...state, studySchedule: paceOf(compiled, state, schedule) } };
}
