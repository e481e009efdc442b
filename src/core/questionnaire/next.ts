/** Which question follows (spec 000 §4). */
import { type CompiledQuestion, type CompiledQuestionnaire, optionOf, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import type { Option, Question, Questionnaire } from "./definition.ts";
import { QuestionnaireError } from "./error.ts";
import { holds, selectedOption } from "./requirements.ts";
import type { State } from "./state.ts";

/** What the rules give for ToHomePage instead of a question's id (spec 000 §4, rule 3). */
export const homePage = -1;

/**
 * The id of the question that follows, or `homePage`. The answer must already be in the state. The rules, in order: last
 * level question, level rules, ToHomePage, ToPrevious, conditional follow-ups, the chosen schedule's follow-up (on the
 * question that offers the schedules), the option's follow-up.
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

/** The same for a node and an option that are at hand. */
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

/** The first level rule that the counts of No and Maybe reach, this answer included. */
export function levelRuleOf(compiled: CompiledQuestionnaire, state: State): Questionnaire["levelQuestionRules"][number] | undefined {
  const { no, maybe } = levelCounts(compiled, state);
  return compiled.definition.levelQuestionRules.find((rule) => no >= rule.no && maybe >= rule.maybe);
}

/** How often level questions were answered with No and with Maybe. */
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
 * The first question after the sign-up screens, from the first of them on: conditional follow-ups, else the answer given,
 * else the last option. A screen that asks for a name nobody gave yet is not passed over. Undefined without sign-up screens.
 */
export function questionAfterSignup(compiled: CompiledQuestionnaire, state: State, context: Context): number | undefined {
  const first = compiled.firstOfType.SignupView;
  return first === undefined ? undefined : pastSignup(compiled, state, first.id, context);
}

/** Follows sign-up screens from `questionId` to the first question that a signed-up visitor still has to see. */
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
 * The final program view: from the ThankYouView's, else the PreparingProgram's follow-ups, else from its last option (spec 000 §4).
 * Throws noPreparingProgram where it would have to come from there, and noThankYouView when neither leads anywhere.
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

/** Where the last option leads that leads anywhere by itself (back and home do not). */
function lastWayOn(question: Question): number | undefined {
  return question.options.findLast((option) => option.followUpQuestion !== undefined)?.followUpQuestion;
}
