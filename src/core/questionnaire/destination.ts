/** Where somebody goes who has just come in: by link, code or password (spec 001 §4, "Token login", "Password login"). */
import type { Standing } from "../entitlement.ts";
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Context } from "./context.ts";
import { QuestionnaireError } from "./error.ts";
import { homePage, nextQuestionId, pastSignup, questionAfterSignup } from "./next.ts";
import { mergeState, resumePoint } from "./saved.ts";
import type { State, StateUser } from "./state.ts";
import { initialState } from "./step.ts";

export interface Arrival {
  /** As the server has it: nothing saved yet, or something that is no state. */
  readonly saved: State | "none" | "invalid";
  /** The supported questionnaire to go on in: the saved state's, or for a retired one the default. */
  readonly compiled: CompiledQuestionnaire;
  readonly context: Context;
  readonly user: StateUser;
  /** Question id of the link. */
  readonly target?: number | null;
  /** The stored start: what lies before it is started anew. */
  readonly start?: number | undefined;
}

/** Which page: managing a plan, reactivating one, or a question. */
export type Destination = "subscription" | "reactivate" | "question";

/**
 * A usable plan is managed, a lapsed one can be reactivated; all others go on with the questions, or to the page of reactivating when
 * that is what they asked for before they logged in.
 */
export function whereToNext(standing: Standing, askedToReactivate: boolean): Destination {
  if (standing === "usable") return "subscription";
  return standing === "lapsed" || askedToReactivate ? "reactivate" : "question";
}

/**
 * The state to go on with; its current question is where. With a target that is the target, with the saved answers merged into its
 * questionnaire; else where they were, or after the sign-up screens when nothing is saved. A state that is none, one of a version that
 * is no more, and one before the stored start begin anew.
 */
export function resumedState({ saved, compiled, context, user, target, start }: Arrival): State {
  const fresh: State = { ...initialState(compiled, user), signupDone: true };
  const at = (from: State, questionId: number): State => ({ ...from, currentQuestionId: questionId });
  const state = typeof saved === "string" ? undefined : saved;
  const merged =
    state === undefined ? fresh : { ...takenOver(compiled, state, context), signupDone: true, user: { ...state.user, ...user } };
  // The home page is no question.
  const aim = target ?? homePage;
  if (compiled.nodes[aim] !== undefined) return at(merged, aim);
  if (saved === "none") return at(fresh, questionAfterSignup(compiled, fresh, context) ?? fresh.currentQuestionId);
  if (state?.id !== compiled.definition.id) return fresh;
  const questionId = resumePoint(compiled, merged, start);
  return questionId === merged.currentQuestionId ? at(merged, pastSignup(compiled, merged, questionId, context)) : fresh;
}
/** A state as this definition understands it: its answers up to the first that no longer fits, then what follows them. */
export function takenOver(compiled: CompiledQuestionnaire, state: State, context: Context): State {
  const merged = mergeState(compiled, state);
  const last = merged.selectedOptions.at(-1);
  if (last === undefined || merged.currentQuestionId === state.currentQuestionId) return merged;
  return { ...merged, currentQuestionId: followUp(compiled, merged, last, context) ?? merged.currentQuestionId };
}

function followUp(compiled: CompiledQuestionnaire, state: State, last: State["selectedOptions"][number], context: Context): number | null {
  try {
    const next = nextQuestionId(compiled, state, last.questionId, last.optionId, context);
    return compiled.nodes[next] === undefined ? null : next;
  } catch (error) {
    if (error instanceof QuestionnaireError) return null;
    throw error;
  }
}
