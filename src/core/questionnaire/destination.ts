/** Where a visitor continues after a login by link, code or password (spec 001 §4, "Token login", "Password login"). */
import type { PlanStatus } from "../entitlement.ts";
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Context } from "./context.ts";
import { QuestionnaireError } from "./error.ts";
import { homePage, nextQuestionId, pastSignup, questionAfterSignup } from "./next.ts";
import { mergeState, resumePoint } from "./saved.ts";
import type { State, StateUser } from "./state.ts";
import { initialState } from "./step.ts";

export interface Arrival {
  /** The server's saved state; "invalid" when the stored value is not a state. */
  readonly saved: State | "none" | "invalid";
  /** The questionnaire to continue in: the saved state's, or the default one if that is retired. */
  readonly compiled: CompiledQuestionnaire;
  readonly context: Context;
  readonly user: StateUser;
  /** The question id in the link. */
  readonly target?: number | null;
  /** The stored start question. A saved state at an earlier question starts over. */
  readonly start?: number | undefined;
}

/** The pages after login: manage the plan, reactivate it, or a question. */
export type Destination = "subscription" | "reactivate" | "question";

/**
 * A usable plan leads to its management page, a lapsed one to reactivation. All others continue with the questions, or with reactivation
 * if that page sent them to the login.
 */
export function destinationFor(planStatus: PlanStatus, askedToReactivate: boolean): Destination {
  if (planStatus === "usable") return "subscription";
  return planStatus === "lapsed" || askedToReactivate ? "reactivate" : "question";
}

/**
 * The state to continue with, at the question to continue at. With a target: the target, with the saved answers merged into its
 * questionnaire. Without one: the saved question, or the first question after sign-up when nothing is saved. An invalid state, a state of
 * a retired version and a state before the stored start begin anew.
 */
export function resumedState({ saved, compiled, context, user, target, start }: Arrival): State {
  const fresh: State = { ...initialState(compiled, user), signupDone: true };
  const at = (from: State, questionId: number): State => ({ ...from, currentQuestionId: questionId });
  const state = typeof saved === "string" ? undefined : saved;
  const merged =
    state === undefined ? fresh : { ...migrateState(compiled, state, context), signupDone: true, user: { ...state.user, ...user } };
  // The home page has no question.
  const aim = target ?? homePage;
  if (compiled.nodes[aim] !== undefined) return at(merged, aim);
  if (saved === "none") return at(fresh, questionAfterSignup(compiled, fresh, context) ?? fresh.currentQuestionId);
  if (state?.id !== compiled.definition.id) return fresh;
  // Compares the saved question, even if this definition lacks that question and another one replaces it.
  if (state.currentQuestionId < (start ?? compiled.definition.initialQuestion)) return fresh;
  const questionId = resumePoint(compiled, merged, start);
  return questionId === merged.currentQuestionId ? at(merged, pastSignup(compiled, merged, questionId, context)) : fresh;
}
/** A state migrated to this definition: its answers up to the first invalid one, then the question that follows them. */
export function migrateState(compiled: CompiledQuestionnaire, state: State, context: Context): State {
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
