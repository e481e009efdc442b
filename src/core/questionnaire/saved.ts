/** Saving, loading and resuming a state (spec 000 §4, §7; spec 001 §4). */
import { type CompiledQuestionnaire, optionOf } from "./compile.ts";
import type { State } from "./state.ts";

export interface SavedState extends Omit<State, "user"> {
  readonly format: typeof stateFormat;
  readonly user: Omit<State["user"], "password">;
}

/** The current format of stored states. Format 1 (until 2026-11-24) has no format number. Format 2 names the release (decision 195). */
export const stateFormat = 2;

/** The stored form of a state: without the password; studySchedule and programEndDate only with a schedule. */
export function savedState(state: State): SavedState {
  const { password: _, ...user } = state.user;
  const { studySchedule, programEndDate, ...rest } = state;
  const saved = { format: stateFormat, ...rest, user } as const;
  return state.schedule === undefined ? saved : { ...saved, studySchedule, programEndDate };
}

/**
 * The question at which a returning visitor resumes. It is the saved one. But it is the initial one if the state is missing, belongs to another version, names an
 * unknown question, or is before the stored start (`start`; spec 001 §4, "Password login").
 */
export function resumePoint(compiled: CompiledQuestionnaire, state: State | null, start = compiled.definition.initialQuestion): number {
  const { initialQuestion, id } = compiled.definition;
  if (state === null || state.id !== id || compiled.nodes[state.currentQuestionId] === undefined || state.currentQuestionId < start)
    return initialQuestion;
  return state.currentQuestionId;
}

/**
 * A state converted to another (or a changed) definition. Answers are kept up to the first one that does not exist there. That one and all later ones are
 * dropped (spec 001 §4, "Token login").
 */
export function mergeState(compiled: CompiledQuestionnaire, state: State): State {
  const fits = ({ questionId, optionId }: State["selectedOptions"][number]) => {
    const question = compiled.question(questionId);
    return question !== undefined && optionOf(question, optionId) !== undefined;
  };
  const invalid = state.selectedOptions.findIndex(
    (selected, index) => !fits(selected) || state.visitedQuestionIds[index] !== selected.questionId,
  );
  const selectedOptions = invalid < 0 ? state.selectedOptions : state.selectedOptions.slice(0, invalid);
  const visitedQuestionIds = selectedOptions.map((selected) => selected.questionId);
  const wanted = state.selectedOptions[selectedOptions.length]?.questionId ?? state.currentQuestionId;
  const currentQuestionId = compiled.nodes[wanted] === undefined ? compiled.definition.initialQuestion : wanted;
  const known = compiled.definition.schedules.some((schedule) => schedule.id === state.schedule);
  return {
    ...state,
    id: compiled.definition.id,
    visitedQuestionIds,
    selectedOptions,
    currentQuestionId,
    ...(known ? {} : { schedule: undefined, studySchedule: undefined, programEndDate: undefined }),
  };
}
