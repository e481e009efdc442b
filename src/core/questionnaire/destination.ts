/** Where somebody goes who has just come in: by link, code or password (spec 001 §4, "Token login", "Password login"). */
import type { Standing } from "../entitlement.ts";
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Context } from "./context.ts";
import { QuestionnaireError } from "./error.ts";
import { nextQuestionId, pastSignup, questionAfterSignup } from "./next.ts";
import { mergeState, resumePoint } from "./saved.ts";
import type { State, StateUser } from "./state.ts";
import { initialState } from "./step.ts";

export interface Arrival {
  readonly standing: Standing;
  /** As the server has it: nothing saved yet, or something that is no state. */
  readonly saved: State | "none" | "invalid";
  /** The supported questionnaire to go on in: the saved state's, or for a retired one the default. */
  readonly compiled: CompiledQuestionnaire;
  readonly context: Context;
  readonly user: StateUser;
  /** Question id of the link. */
  readonly target?: number | null;
  readonly discount?: string | null;
  /** The stored start: what lies before it is started anew. */
  readonly start?: number | undefined;
}

export type Destination =
  | { readonly kind: "subscription"; readonly state: State }
  | { readonly kind: "reactivate"; readonly state: State; readonly discount: string | null }
  /** `state.currentQuestionId` is where to. */
  | { readonly kind: "question"; readonly state: State };

/**
 * A usable plan is managed, a lapsed one can be reactivated; all others go on at the link's target, where they were, or after
 * the sign-up screens when nothing is saved. A state that is none, and a retired one of which nothing fits any more, start anew.
 */
export function whereToNext(arrival: Arrival): Destination {
  const { standing, discount = null } = arrival;
  const state = resumed(arrival);
  if (standing === "usable") return { kind: "subscription", state };
  return standing === "lapsed" ? { kind: "reactivate", state, discount } : { kind: "question", state };
}

function resumed({ saved, compiled, context, user, target, start }: Arrival): State {
  const fresh: State = { ...initialState(compiled, user), signupDone: true };
  const known = target !== null && target !== undefined && compiled.nodes[target] !== undefined ? target : undefined;
  const at = (state: State, questionId: number): State => ({ ...state, currentQuestionId: known ?? questionId });

  if (saved === "invalid") return at(fresh, fresh.currentQuestionId);
  if (saved === "none") return at(fresh, questionAfterSignup(compiled, fresh, context) ?? fresh.currentQuestionId);

  const taken: State = { ...takenOver(compiled, saved, context), signupDone: true, user: { ...saved.user, ...user } };
  if (saved.selectedOptions.length > 0 && taken.selectedOptions.length === 0) return at(fresh, fresh.currentQuestionId);
  const questionId = resumePoint(compiled, taken, start);
  if (questionId !== taken.currentQuestionId) return at(fresh, questionId);
  return at(taken, pastSignup(compiled, taken, questionId, context));
}

/** A state as this definition understands it: its answers up to the first that no longer fits, then what follows them. */
export function takenOver(compiled: CompiledQuestionnaire, state: State, context: Context): State {
  const merged = mergeState(compiled, state);
  const last = merged.selectedOptions.at(-1);
  const cut = merged.selectedOptions.length < state.selectedOptions.length;
  if (last === undefined || (!cut && merged.currentQuestionId === state.currentQuestionId)) return merged;
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
