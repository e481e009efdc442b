/** The visitor's current level and target level (spec 000 §3, §5; spec 001 §3). */
import { type CompiledQuestionnaire, optionOf } from "./compile.ts";
import type { Context } from "./context.ts";
import type { Level, LevelType, Question } from "./definition.ts";
import { QuestionnaireError } from "./error.ts";
import { lastLevelQuestion, selectedOption, visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";

/** `advanced` counts as upperintermediate (spec 001 §3). */
export function levelOf(type: LevelType): Level {
  return type === "advanced" ? "upperintermediate" : type;
}

/**
 * The level by the definition's algorithm. `LevelQuestion` maps the level question answered last; `InitialLevel` takes the option chosen
 * on the InitialLevelView. Null before such an answer. Throws noInitialLevelView and noUserLevelOption (InitialLevel only; spec 000 §5).
 */
export function userLevel(compiled: CompiledQuestionnaire, state: State): Level | null {
  if (compiled.definition.userLevelAlgorithm === "InitialLevel") {
    const view = compiled.firstOfType.InitialLevelView;
    if (view === undefined) throw new QuestionnaireError("noInitialLevelView");
    const chosen = chosenOption(view, state);
    if (chosen !== undefined && chosen.meta?.userLevel === undefined)
      throw new QuestionnaireError("noUserLevelOption", `question ${view.id}`);
  }
  return userLevelOrNull(compiled, state);
}

/** Like `userLevel`, but null instead of an error when the definition lacks the level. */
export function userLevelOrNull(compiled: CompiledQuestionnaire, state: State): Level | null {
  if (compiled.definition.userLevelAlgorithm === "LevelQuestion") {
    const last = lastLevelQuestion(compiled, state);
    if (last === undefined) return null;
    const mapping = compiled.definition.userLevelMappings.find(({ first, last: end }) => first <= last && last <= end);
    return mapping === undefined ? null : levelOf(mapping.userLevel);
  }
  const view = compiled.firstOfType.InitialLevelView;
  const level = view && chosenOption(view, state)?.meta?.userLevel;
  return level === undefined ? null : levelOf(level);
}

/**
 * The level chosen on the TargetLevelView. Before an answer: the level of the visible options if they all offer the same one, else null. Throws
 * noTargetLevelOption when the chosen option has no level (spec 000 §5).
 */
export function targetLevel(compiled: CompiledQuestionnaire, state: State, context: Context): Level | null {
  const view = compiled.firstOfType.TargetLevelView;
  if (view === undefined) return null;
  const chosen = chosenOption(view, state);
  if (chosen !== undefined) {
    if (chosen.meta?.targetLevel === undefined) throw new QuestionnaireError("noTargetLevelOption", `question ${view.id}`);
    return levelOf(chosen.meta.targetLevel);
  }
  const offered = new Set(
    visibleOptions(compiled, view, state, context).flatMap((option) =>
      option.meta?.targetLevel === undefined ? [] : [levelOf(option.meta.targetLevel)],
    ),
  );
  const [only] = offered;
  return offered.size === 1 && only !== undefined ? only : null;
}

function chosenOption(view: Question, state: State) {
  const optionId = selectedOption(state, view.id);
  return optionId === undefined ? undefined : optionOf(view, optionId);
}
