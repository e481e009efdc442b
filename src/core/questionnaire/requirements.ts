/** Requirement rules: what is visible and which follow-up is taken (spec 000 §3). */
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Context } from "./context.ts";
import type { ContentItem, Option, Question, Rule, RuleGroup } from "./definition.ts";
import type { State } from "./state.ts";

/** Whether a group of rules holds: 'or' (the default) needs any, 'and' needs all; an empty or missing group holds. */
export function holds(compiled: CompiledQuestionnaire, group: RuleGroup | undefined, state: State, context: Context): boolean {
  if (group === undefined || group.rules.length === 0) return true;
  const needsAll = group.type === "and";
  for (const rule of group.rules) {
    const passes = "rules" in rule ? holds(compiled, rule, state, context) : ruleHolds(compiled, rule, state, context);
    if (passes !== needsAll) return passes;
  }
  return needsAll;
}

/** The contents of a question whose requirements hold, in their order. */
export function visibleContents(
  compiled: CompiledQuestionnaire,
  question: Question,
  state: State,
  context: Context,
): readonly ContentItem[] {
  return question.contents.filter((item) => holds(compiled, item.requirements, state, context));
}

/** The options of a question whose requirements hold, in their order. */
export function visibleOptions(compiled: CompiledQuestionnaire, question: Question, state: State, context: Context): readonly Option[] {
  return question.options.filter((option) => holds(compiled, option.requirements, state, context));
}

/** The option chosen for a question, or undefined. Most rules are about one of the last answers, so the search begins there. */
export function selectedOption({ selectedOptions }: State, questionId: number): number | undefined {
  for (let at = selectedOptions.length - 1; at >= 0; at--)
    if (selectedOptions[at]?.questionId === questionId) return selectedOptions[at]?.optionId;
  return undefined;
}

/** The LevelQuestion answered last, or undefined. */
export function lastLevelQuestion(compiled: CompiledQuestionnaire, state: State): number | undefined {
  return state.visitedQuestionIds.findLast((id) => compiled.nodes[id]?.isLevel === true);
}

/**
 * A chosen schedule or days count only once their question has been reached. After the history is truncated, their question still shows
 * them as chosen.
 */
function reached(compiled: CompiledQuestionnaire, state: State, what: "choosesSchedule" | "choosesDays"): boolean {
  return (
    compiled.nodes[state.currentQuestionId]?.[what] === true || state.visitedQuestionIds.some((id) => compiled.nodes[id]?.[what] === true)
  );
}

function ruleHolds(compiled: CompiledQuestionnaire, rule: Rule, state: State, context: Context): boolean {
  if (rule.questionId !== undefined) {
    const selected = selectedOption(state, rule.questionId);
    if (selected === undefined || (rule.optionId !== undefined && rule.optionId !== selected)) return false;
  }
  if (rule.days !== undefined && (rule.days === "on") !== (state.days.length > 0 && reached(compiled, state, "choosesDays"))) return false;
  if (rule.schedule !== undefined && !(rule.schedule === state.schedule && reached(compiled, state, "choosesSchedule"))) return false;
  if (rule.countryIs !== undefined && !among(rule.countryIs, context.country)) return false;
  if (rule.countryIsNot !== undefined && among(rule.countryIsNot, context.country)) return false;
  if (rule.localeIs !== undefined && !among(rule.localeIs, context.locale)) return false;
  if (rule.lastLevelQuestion !== undefined) {
    // Before the level test a visitor counts as a beginner, as in texts (decision 061).
    const level = lastLevelQuestion(compiled, state) ?? compiled.firstOfType.LevelQuestion?.id;
    if (rule.lastLevelQuestion !== level) return false;
  }
  if (rule.platform !== undefined && rule.platform !== context.platform) return false;
  return rule.requiresMarketingConsent === undefined || (rule.requiresMarketingConsent === "on") === context.requiresMarketingConsent;
}

function among(wanted: string | readonly string[], value: string): boolean {
  return typeof wanted === "string" ? wanted === value : wanted.includes(value);
}
