/** Decides whether a visitor stays on the release they began on, when a page comes with another release (decision 195). */
import { encodeAnswers, replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { State } from "#core/questionnaire/state.ts";

export type StateOfRelease = State & { readonly release: string };

/** Types of the blocks for sign-up and payment. */
const ofSignup = /^signup/;
const ofPayment = new Set(["price", "payment", "paddle"]);

export interface ServedRelease {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly context: Context;
}

/**
 * Whether a visitor stays on the release that they began on. The served release takes over when they have finished or when it accepts
 * all their answers, but never during sign-up or payment.
 */
export function staysOnRelease({ compiled, release, context }: ServedRelease, state: State): state is StateOfRelease {
  if (state.id !== compiled.definition.id || state.release === undefined || state.release === release) return false;
  if (state.selectedOptions.length === 0) return false;
  const contents = compiled.question(state.currentQuestionId)?.contents;
  if (contents === undefined) return !state.finished;
  if (contents.some(({ type }) => ofSignup.test(type) || ofPayment.has(type))) return true;
  return !state.finished && !replays(compiled, state, context);
}

/** Whether this release accepts every answer, in the same order. */
function replays(compiled: CompiledQuestionnaire, state: State, context: Context): boolean {
  return replayAnswers(compiled, encodeAnswers(state), context).selectedOptions.length === state.selectedOptions.length;
}
