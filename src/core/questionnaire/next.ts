/** Which question follows (spec 000 §4). */
import { type CompiledQuestion, type CompiledQuestionnaire, isWayBack, optionOf, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import type { Option, Question, Questionnaire } from "./definition.ts";
import { QuestionnaireError } from "./error.ts";
import { holds, selectedOption } from "./requirements.ts";
import type { State } from "./state.ts";

/** The result of ToHomePage in place of a question id (spec 000 §4, rule 3). */
export const homePage = -1;

/**
 * The id of the next question, or `homePage`. The state must already contain the answer. The first of these that applies decides:
 * 1. last level question
 * 2. level rules
 * 3. ToHomePage
 * 4. ToPrevious
 * 5. conditional follow-ups
 * 6. the chosen schedule's follow-up, on the question that offers schedules
 * 7. the option's follow-up
 *
 * Throws unknownQuestion, unknownOption, noHistory, noFollowUpId.
 */
export function nextQuestionId(
  compiled: CompiledQuestionnaire,
  state: State,
  questionId: number,
  optionId: number,
  context: Context,
): number {
  const node = compiled.nodes[questionId];
  if (node === undefined) throw new QuestionnaireError("unknownQuestion", `question ${questionId}`);
  const option = optionOf(node.question, optionId);
  if (option === undefined) throw new QuestionnaireError("unknownOption", `question ${questionId}, option ${optionId}`);
  return followUpOf(compiled, state, node, option, context);
}

/** Like `nextQuestionId`, for a compiled question and option. */
export function followUpOf(
  compiled: CompiledQuestionnaire,
  state: State,
  node: CompiledQuestion,
  option: Option,
  context: Context,
): number {
  const { question } = node;
  if (node.isLastLevel) return compiled.definition.lastLevelQuestionFollowUpQuestion;
  if (node.isLevel && option.type === "No") {
    const rule = levelRuleOf(compiled, state);
    if (rule !== undefined) return rule.followUpQuestion;
  }
  if (option.type === "ToHomePage") return homePage;
  if (option.type === "ToPrevious") {
    const previous = state.visitedQuestionIds.at(-2);
    if (previous === undefined) throw new QuestionnaireError("noHistory", `question ${question.id}`);
    return previous;
  }
  const next =
    conditionalFollowUp(compiled, question, state, context) ??
    (node.choosesSchedule ? scheduleOf(compiled, state.schedule)?.followUpQuestion : undefined) ??
    option.followUpQuestion;
  if (next === undefined) throw new QuestionnaireError("noFollowUpId", `question ${question.id}, option ${option.id}`);
  return next;
}

/** The first follow-up whose requirements hold. */
function conditionalFollowUp(compiled: CompiledQuestionnaire, question: Question, state: State, context: Context): number | undefined {
  if (question.followUps === undefined) return undefined;
  for (const followUp of question.followUps) if (holds(compiled, followUp.requirements, state, context)) return followUp.followUpQuestion;
  return undefined;
}

/** The first level rule whose counts of No and Maybe are reached. This answer counts too. */
export function levelRuleOf(compiled: CompiledQuestionnaire, state: State): Questionnaire["levelQuestionRules"][number] | undefined {
  const { no, maybe } = levelCounts(compiled, state);
  return compiled.definition.levelQuestionRules.find((rule) => no >= rule.no && maybe >= rule.maybe);
}

/** The numbers of level questions answered with No and with Maybe. */
export function levelCounts(compiled: CompiledQuestionnaire, state: State): { readonly no: number; readonly maybe: number } {
  let no = 0;
  let maybe = 0;
  for (const { questionId, optionId } of state.selectedOptions) {
    const node = compiled.nodes[questionId];
    if (node?.isLevel !== true) continue;
    const type = optionOf(node.question, optionId)?.type;
    if (type === "No") no += 1;
    else if (type === "Maybe") maybe += 1;
  }
  return { no, maybe };
}

/**
 * The first question after the sign-up screens. Each screen leads on by a conditional follow-up, else by the given answer, else by the
 * last option. A screen that asks for a missing name is not skipped. Undefined without sign-up screens.
 */
export function questionAfterSignup(compiled: CompiledQuestionnaire, state: State, context: Context): number | undefined {
  const first = compiled.firstOfType.SignupView;
  return first === undefined ? undefined : pastSignup(compiled, state, first.id, context);
}

/** The question to show instead of `questionId` once the visitor has signed up: sign-up screens are skipped. */
export function pastSignup(compiled: CompiledQuestionnaire, state: State, questionId: number, context: Context): number {
  const seen = new Set<number>();
  let id = questionId;
  while (!seen.has(id)) {
    seen.add(id);
    const node = compiled.nodes[id];
    if (node === undefined || !node.isSignup || (node.asksName && !state.user.firstname)) return id;
    id = wayOn(compiled, node.question, state, context);
  }
  throw new QuestionnaireError("noFollowUpId", `the sign-up screens from question ${questionId} lead back to themselves`);
}

/**
 * The final program view: where the ThankYouView leads, else where the PreparingProgram leads. Each leads on by a conditional follow-up,
 * else by its last option with a follow-up (spec 000 §4). Throws noPreparingProgram if that is needed but missing, and noThankYouView
 * when neither leads anywhere.
 */
export function finalProgramView(compiled: CompiledQuestionnaire, state: State, context: Context): number {
  const { ThankYouView, PreparingProgram } = compiled.firstOfType;
  const leadsTo = (view: Question) => {
    const id = conditionalFollowUp(compiled, view, state, context) ?? lastWayOn(view);
    return id !== undefined && compiled.nodes[id] !== undefined ? id : undefined;
  };
  const afterThanks = ThankYouView && leadsTo(ThankYouView);
  if (afterThanks !== undefined) return afterThanks;
  if (PreparingProgram === undefined) throw new QuestionnaireError("noPreparingProgram");
  const afterPreparing = leadsTo(PreparingProgram);
  if (afterPreparing === undefined) throw new QuestionnaireError("noThankYouView");
  return afterPreparing;
}

function wayOn(compiled: CompiledQuestionnaire, question: Question, state: State, context: Context): number {
  const chosen = selectedOption(state, question.id);
  const option = chosen === undefined ? undefined : optionOf(question, chosen);
  const next = conditionalFollowUp(compiled, question, state, context) ?? option?.followUpQuestion ?? lastWayOn(question);
  if (next === undefined) throw new QuestionnaireError("noFollowUpId", `question ${question.id}`);
  return next;
}

/** The follow-up of the last option with a follow-up, ways back and home aside. */
function lastWayOn(question: Question): number | undefined {
  return question.options.findLast((option) => option.followUpQuestion !== undefined && !isWayBack(option))?.followUpQuestion;
}
