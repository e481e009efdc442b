/** Whether a state that is to be saved could have come about in its questionnaire (spec 000 §4). */
import { compile, type CompiledQuestionnaire, optionOf, scheduleOf } from "#core/questionnaire/compile.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { paceOf } from "#core/questionnaire/plan.ts";
import type { State } from "#core/questionnaire/state.ts";

const compiledOnes = new WeakMap<Questionnaire, CompiledQuestionnaire>();
/** Compiled once for each definition. */
export function compiledOf(questionnaire: Questionnaire): CompiledQuestionnaire {
  const known = compiledOnes.get(questionnaire);
  if (known) return known;
  const compiled = compile(questionnaire);
  compiledOnes.set(questionnaire, compiled);
  return compiled;
}

/**
 * The state with what follows from the definition taken from there, or the field that does not fit: every answer must be
 * one the definition has, and the history must be the answers' own. Which question came after which is not judged:
 * that depended on the visitor's country and platform, which this request need not show.
 */
export function checkedState(compiled: CompiledQuestionnaire, state: State): { readonly state: State } | { readonly misfit: string } {
  const { visitedQuestionIds, selectedOptions } = state;
  const schedule = scheduleOf(compiled, state.schedule);
  if (state.schedule !== undefined && schedule === undefined) return { misfit: "state.schedule" };
  if (compiled.question(state.currentQuestionId) === undefined) return { misfit: "state.currentQuestionId" };

  if (visitedQuestionIds.length !== selectedOptions.length || new Set(visitedQuestionIds).size !== visitedQuestionIds.length)
    return { misfit: "state.visitedQuestionIds" };
  for (const [index, { questionId, optionId }] of selectedOptions.entries()) {
    const question = compiled.question(questionId);
    if (question === undefined || optionOf(question, optionId) === undefined) return { misfit: "state.selectedOptions" };
    if (visitedQuestionIds[index] !== questionId) return { misfit: "state.visitedQuestionIds" };
  }

  if (schedule === undefined) return { state: { ...state, studySchedule: undefined, programEndDate: undefined } };
  return { state: { ...state, studySchedule: paceOf(compiled, state, schedule) } };
}
