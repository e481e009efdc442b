/** How options look and where they lead. */
import type { Locale } from "#core/locales.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import type { State } from "#core/questionnaire/state.ts";
import { prefillEmbedded, step, type StepResult } from "#core/questionnaire/step.ts";
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";

export type OptionLook = NonNullable<Option["buttonStyle"]>;

/** Several options default to cards, a single one to the primary button; quiet links beside it do not count. */
export function optionLook(options: readonly Option[]): (option: Option) => OptionLook {
  const plain = options.filter((option) => option.buttonStyle === undefined).length;
  return (option) => option.buttonStyle ?? (plain === 1 ? "primary" : "card");
}

/**
 * The address an answer leads to, with all answers so far, so that a tap works before the script does; null where the way leads
 * through something that only the script can do (sign-up) or nowhere.
 */
export function optionLink(
  locale: Locale,
  compiled: CompiledQuestionnaire,
  state: State,
  context: Context,
  question: Question,
  option: Option,
): string | null {
  if (question.type === "SignupView" || state.signupDone) return null;
  try {
    return wayOn(locale, compiled, step(compiled, state, { type: "answer", questionId: question.id, optionId: option.id }, context));
  } catch (error) {
    // A way that does not lead anywhere yet (no history, no schedule chosen) is a button: the engine says so when it is pressed.
    if (!(error instanceof QuestionnaireError)) throw error;
  }
  return null;
}

/**
 * Where the embedded first question leads from another page (spec 000 §4): with an option to the question after it, without one
 * to the question itself, which its first option fills in (decisions/007). Throws noEmbeddedQuestion.
 */
export function embeddedLink(locale: Locale, compiled: CompiledQuestionnaire, context: Context, option?: Option): string {
  const filled = prefillEmbedded(compiled, context, option?.id);
  return option === undefined
    ? withAnswers(locale, compiled, compiled.definition.embeddedQuestion, filled.state)
    : wayOn(locale, compiled, filled);
}

function wayOn(locale: Locale, compiled: CompiledQuestionnaire, { state, effects }: StepResult): string {
  const to = effects.find((effect) => effect.type === "goTo");
  return to === undefined ? buildPath("home", locale) : withAnswers(locale, compiled, to.questionId, state);
}

function withAnswers(locale: Locale, compiled: CompiledQuestionnaire, questionId: number, state: State): string {
  return `${questionPath(locale, compiled.definition.id, questionId)}?a=${encodeAnswers(state)}`;
}

/** The letter that chooses the option at an index. */
export function keyHint(index: number): string | undefined {
  return "ABCDEFGHIJKL"[index];
}
