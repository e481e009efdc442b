/** Saving, loading and resuming a state (spec 000 §4, §7; spec 001 §4). */
import * as v from "valibot";
import { type CompiledQuestionnaire, optionOf } from "./compile.ts";
import { type State, stateSchema } from "./state.ts";

export type SavedState = Omit<State, "user"> & { readonly user: Omit<State["user"], "password"> };

/** What is stored: everything but the password; studySchedule and programEndDate only when a schedule exists. */
export function savedState(state: State): SavedState {
  const { password: _, ...user } = state.user;
  const { studySchedule, programEndDate, ...rest } = state;
  return state.schedule === undefined ? { ...rest, user } : { ...rest, user, studySchedule, programEndDate };
}

/** Parses an untrusted stored state: null fields become undefined, missing lists empty. Null when it is not a state. */
export function parseSavedState(value: unknown): State | null {
  const lists = { days: [], skillsToImprove: [], moreInfoOf: [], programChangeWish: [] };
  const parsed = v.safeParse(stateSchema, Object.assign({ ...lists, user: {} }, withoutNulls(value)));
  if (!parsed.success) return null;
  const state = parsed.output;
  return {
    ...state,
    finishedTimestamp: state.finishedTimestamp,
    schedule: state.schedule,
    studySchedule: state.studySchedule,
    programEndDate: state.programEndDate,
  };
}

/** A state as GET questionnaire returns it, on both sides of the call: null fields become undefined (spec 000 §7). */
export const receivedStateSchema = v.pipe(
  v.unknown(),
  v.transform((value): State | "invalid" => parseSavedState(value) ?? "invalid"),
);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null || field === undefined ? [] : [[key, withoutNulls(field)]])),
  );
}

/**
 * Where a returning visitor resumes: the saved question, or the initial one when the state is missing, belongs to another
 * version, names an unknown question, or stands before `start`, the stored start (spec 001 §4, "Password login").
 */
export function resumePoint(compiled: CompiledQuestionnaire, state: State | null, start = compiled.definition.initialQuestion): number {
  const { initialQuestion, id } = compiled.definition;
  if (state === null || state.id !== id || compiled.nodes[state.currentQuestionId] === undefined || state.currentQuestionId < start)
    return initialQuestion;
  return state.currentQuestionId;
}

/**
 * A state converted to another (or a changed) definition: the history is kept up to the first answer that does not exist there,
 * and dropped from then on (spec 001 §4, "Token login").
 */
export function mergeState(compiled: CompiledQuestionnaire, state: State): State {
  const fits = ({ questionId, optionId }: State["selectedOptions"][number]) => {
    const question = compiled.question(questionId);
    return question !== undefined && optionOf(question, optionId) !== undefined;
  };
  const misfit = state.selectedOptions.findIndex(
    (selected, index) => !fits(selected) || state.visitedQuestionIds[index] !== selected.questionId,
  );
  const selectedOptions = misfit < 0 ? state.selectedOptions : state.selectedOptions.slice(0, misfit);
  const visitedQuestionIds = selectedOptions.map((selected) => selected.questionId);
  const wished = state.selectedOptions[selectedOptions.length]?.questionId ?? state.currentQuestionId;
  const currentQuestionId = compiled.nodes[wished] === undefined ? compiled.definition.initialQuestion : wished;
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
