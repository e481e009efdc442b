/** Whether somebody stays on the release they began on when a page comes with another one of their version (decision 195). */
import { encodeAnswers, replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { State } from "#core/questionnaire/state.ts";

export type StateOfRelease = State & { readonly release: string };

/** Blocks of questions at which somebody signs up or pays. */
const ofSignup = /^signup/;
const ofPayment = new Set(["price", "payment", "paddle"]);

export interface ServedRelease {
  readonly compiled: CompiledQuestionnaire;
  readonly release: string;
  readonly context: Context;
}

/**
 * Whether a visitor stays on the release they began with. The served one takes over once they have finished, or when it accepts all their answers; but
 * never while they sign up or pay.
 */
export function staysOnRelease({ compiled, release, context }: ServedRelease, state: State): state is StateOfRelease {
  if (state.id !== compiled.definition.id || state.release === undefined || state.release === release) return false;
  if (state.selectedOptions.length === 0) return false;
  const contents = compiled.question(state.currentQuestionId)?.contents;
  if (contents === undefined) return !state.finished;
  if (contents.some(({ type }) => ofSignup.test(type) || ofPayment.has(type))) return true;
  return !state.finished && !replays(compiled, state, context);
}

/** Every answer could have been given to this release, in the same order. */
function replays(compiled: CompiledQuestionnaire, state: State, context: Context): boolean {
  return replayAnswers(compiled, encodeAnswers(state), context).selectedOptions.length === state.selectedOptions.length;
}
