/** Whether a state that is to be saved could have come about: its answers are replayed through the engine (spec 000 §4). */
import { compile, type CompiledQuestionnaire, scheduleOf } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, step } from "#core/questionnaire/step.ts";

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
 * The state with what follows from the definition taken from there, or the field that does not fit. The visitor's own
 * country and platform may differ from what this request shows, so the order of the questions is not compared with
 * the rules' choice, only the history with itself.
 */
export function checkedState(compiled: CompiledQuestionnaire, state: State, context: Context): { readonly state: State } | { readonly misfit: string } {
  const schedule = scheduleOf(compiled, state.schedule);
  if (state.schedule !== undefined && schedule === undefined) return { misfit: "state.schedule" };
  if (compiled.question(state.currentQuestionId) === undefined) return { misfit: "state.currentQuestionId" };

  let replayed: State = { ...state, visitedQuestionIds: [], selectedOptions: [] };
  try {
    const first = initialState(compiled).currentQuestionId;
    replayed = { ...replayed, currentQuestionId: first };
    for (const { questionId, optionId } of state.selectedOptions) replayed = step(compiled, replayed, { type: "answer", questionId, optionId }, context).state;
  } catch (error) {
    if (error instanceof QuestionnaireError) return { misfit: "state.selectedOptions" };
    throw error;
  }
  // An answer given twice truncates on replay; a visited question without an answer never appears.
  if (replayed.selectedOptions.length !== state.selectedOptions.length || replayed.visitedQuestionIds.join() !== state.visitedQuestionIds.join()) return { misfit: "state.visitedQuestionIds" };
  if (schedule === undefined) return { state: { ...state, studySchedule: undefined, programEndDate: undefined } };
  const { id, months, practiseDaysPerWeek, minutesPerSession } = schedule;
  return { state: { ...state, studySchedule: { id, months, practiseDaysPerWeek, minutesPerSession } } };
}
