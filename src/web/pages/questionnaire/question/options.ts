/** The look and the link of options. */
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Option, Question } from "#core/questionnaire/definition.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import type { State } from "#core/questionnaire/state.ts";
import { prefillEmbedded, step, type StepResult } from "#core/questionnaire/step.ts";
import { buildPath } from "#core/routes.ts";
import { questionPath } from "../../../navigation.ts";
import type { WebSite } from "../../../siteContext.tsx";

/** Links keep the page's `hf`, so that it holds without a script too (spec 001 §2). */
type Linking = Pick<WebSite, "locale" | "bare">;

export type OptionLook = NonNullable<Option["buttonStyle"]>;

/** Several options are cards by default, a single one is the primary button. Options with their own style do not count. */
export function optionLook(options: readonly Option[]): (option: Option) => OptionLook {
  const plain = options.filter((option) => option.buttonStyle === undefined).length;
  return (option) => option.buttonStyle ?? (plain === 1 ? "primary" : "card");
}

/**
 * The address of an answer, with all answers so far, so that a tap works before hydration. Null if the answer needs a script (sign-up) or
 * leads nowhere.
 */
export function optionLink(
  site: Linking,
  compiled: CompiledQuestionnaire,
  state: State,
  context: Context,
  question: Question,
  option: Option,
): string | null {
  if (question.type === "SignupView" || state.signupDone) return null;
  try {
    return nextLink(site, compiled, step(compiled, state, { type: "answer", questionId: question.id, optionId: option.id }, context));
  } catch (error) {
    // An option that leads nowhere yet (no history, no schedule) is a button. When it is pressed, the engine reports the error.
    if (!(error instanceof QuestionnaireError)) throw error;
  }
  return null;
}

/**
 * The link of the embedded first question (spec 000 §4). With an option it leads to the question after it. Without one it leads to the
 * embedded question, with the first option filled in (decision 007). Throws noEmbeddedQuestion.
 */
export function embeddedLink(site: Linking, compiled: CompiledQuestionnaire, context: Context, option?: Option): string {
  const filled = prefillEmbedded(compiled, context, option?.id);
  return option === undefined
    ? withAnswers(site, compiled, compiled.definition.embeddedQuestion, filled.state)
    : nextLink(site, compiled, filled);
}

function nextLink(site: Linking, compiled: CompiledQuestionnaire, { state, effects }: StepResult): string {
  const to = effects.find((effect) => effect.type === "goTo");
  if (to !== undefined) return withAnswers(site, compiled, to.questionId, state);
  return buildPath("home", site.locale) + (site.bare ? "?hf" : "");
}

function withAnswers({ locale, bare }: Linking, compiled: CompiledQuestionnaire, questionId: number, state: State): string {
  return `${questionPath(locale, compiled.definition.id, questionId)}?a=${encodeAnswers(state)}${bare ? "&hf" : ""}`;
}

/** The letter key that chooses the option at an index. */
export function keyHint(index: number): string | undefined {
  return "ABCDEFGHIJKL"[index];
}
