/** How options look and where they lead. */
import type { Locale } from "#core/locales.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import type { State } from "#core/questionnaire/state.ts";
import { step } from "#core/questionnaire/step.ts";
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";

export type OptionLook = NonNullable<Option["buttonStyle"]>;

/** Leads back or out: open whatever the contents say, and nothing is asked or sent before. */
export function isWayBack(option: Option): boolean {
  return option.type === "ToPrevious" || option.type === "ToHomePage";
}

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
    const after = step(compiled, state, { type: "answer", questionId: question.id, optionId: option.id }, context);
    for (const effect of after.effects) {
      if (effect.type === "goHome") return buildPath("home", locale);
      if (effect.type === "goTo")
        return `${questionPath(locale, compiled.definition.id, effect.questionId)}?a=${encodeAnswers(after.state)}`;
    }
  } catch (error) {
    // A way that does not lead anywhere yet (no history, no schedule chosen) is a button: the engine says so when it is pressed.
    if (!(error instanceof QuestionnaireError)) throw error;
  }
  return null;
}

/** The letter that chooses the option at an index. */
export function keyHint(index: number): string | undefined {
  return "ABCDEFGHIJKL"[index];
}
