/** The progress bar (spec 001 §4). */
import type { CompiledQuestionnaire } from "./compile.ts";
import { QuestionnaireError } from "./error.ts";
import type { State } from "./state.ts";

/**
 * Unrounded percent, 0–100: weight of the questions up to this id / (that weight + weight of the lightest path to the end). A question
 * without a path to the end lies after it and counts as 100. Throws unknownQuestion, also for a missing end.
 */
export function progressPercent(compiled: CompiledQuestionnaire, questionId: number): number {
  const node = compiled.nodes[questionId];
  if (node === undefined) throw new QuestionnaireError("unknownQuestion", `question ${questionId}`);
  const { end } = compiled.definition.progress;
  if (compiled.nodes[end] === undefined) throw new QuestionnaireError("unknownQuestion", `question ${end}, where progress ends`);
  const whole = node.weightUpTo + (Number.isFinite(node.weightToEnd) ? node.weightToEnd : 0);
  return whole === 0 ? 0 : Math.min(100, (node.weightUpTo / whole) * 100);
}

/** The percentage on the bar: the highest on the visitor's path so far, so that it never decreases. */
export function shownPercent(compiled: CompiledQuestionnaire, state: State, questionId: number): number {
  const until = state.visitedQuestionIds.indexOf(questionId);
  const way = until < 0 ? state.visitedQuestionIds : state.visitedQuestionIds.slice(0, until);
  return Math.max(
    progressPercent(compiled, questionId),
    ...way.filter((id) => compiled.nodes[id] !== undefined).map((id) => progressPercent(compiled, id)),
  );
}
