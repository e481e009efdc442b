/** Checks that every rule can hold, that no rule is shadowed by another, and that no option of the last level question is ignored. */
import { type CompiledQuestionnaire, isWayBack } from "../compile.ts";
import type { Context } from "../context.ts";
import type { Rule, RuleGroup } from "../definition.ts";
import { type Exploration, rulesIn, type Situation } from "../explore.ts";
import { levelRuleOf } from "../next.ts";
import { holds } from "../requirements.ts";
import type { State } from "../state.ts";
import { at, type Place, type Reporter } from "./findings.ts";

/** What had an effect in some situation: rules that held, follow-ups that were taken, level rules that applied. */
function effectiveRules({ compiled, situations }: Exploration) {
  const held = new Set<RuleGroup | Rule>();
  const chosen = new Set<object | undefined>();
  const fired = new Set<object | undefined>();
  const see = (group: RuleGroup | undefined, state: State, context: Context) => {
    if (group === undefined) return;
    if (holds(compiled, group, state, context)) held.add(group);
    for (const rule of group.rules) {
      if ("rules" in rule) see(rule, state, context);
      else if (!held.has(rule) && holds(compiled, { rules: [rule] }, state, context)) held.add(rule);
    }
  };
  for (const { node, state, ready, ways, context } of situations) {
    const { question } = node;
    for (const each of new Set([state, ...ready]))
      for (const { requirements } of [...question.contents, ...question.options]) see(requirements, each, context);
    for (const { option, recorded } of ways) {
      if (node.isLastLevel) continue;
      const rule = node.isLevel && option.type === "No" ? levelRuleOf(compiled, recorded) : undefined;
      fired.add(rule);
      if (rule !== undefined || isWayBack(option)) continue;
      for (const followUp of question.followUps ?? []) see(followUp.requirements, recorded, context);
      chosen.add(question.followUps?.find((followUp) => holds(compiled, followUp.requirements, recorded, context)));
    }
  }
  return { held, chosen, fired };
}

export function checkRules(exploration: Exploration, firstAt: ReadonlyMap<number, Situation>, report: Reporter): void {
  const { compiled } = exploration;
  const { definition } = compiled;
  const { held, chosen, fired } = effectiveRules(exploration);
  const always = `the last level question always leads to ${definition.lastLevelQuestionFollowUpQuestion}`;
  for (const question of definition.questions) {
    const situation = firstAt.get(question.id);
    if (situation === undefined) continue;
    const place: Place = { ...at(situation, question.id), everybody: true };
    const check = (what: string, never: string, group: RuleGroup | undefined) =>
      checkGroup(compiled, what, never, group, held, report, place);
    for (const [index, { type, requirements }] of question.contents.entries())
      check(`Block ${index + 1} (${type}) of question ${question.id}`, "never shows", requirements);
    for (const { id, requirements } of question.options) check(`Option ${id} of question ${question.id}`, "never shows", requirements);
    const { isLastLevel } = situation.node;
    for (const [index, followUp] of (question.followUps ?? []).entries()) {
      const { requirements, followUpQuestion } = followUp;
      const what = `Follow-up ${index + 1} of question ${question.id} (to ${followUpQuestion})`;
      const canHold = requirements === undefined || requirements.rules.length === 0 || held.has(requirements);
      if (isLastLevel) report.fault("shadowed", `${what} is never taken: ${always}.`, place);
      else if (canHold && !chosen.has(followUp))
        report.fault("shadowed", `${what} is never taken: an earlier follow-up always applies first.`, place);
      else check(what, "is never taken", requirements);
    }
    if (!isLastLevel) continue;
    for (const { id, type, followUpQuestion } of question.options) {
      const what = `Option ${id} of question ${question.id}`;
      if (isWayBack({ type })) report.fault("ignoredOption", `${what}: its type has no effect, because ${always}.`, place);
      if (followUpQuestion !== undefined && followUpQuestion !== definition.lastLevelQuestionFollowUpQuestion)
        report.fault("ignoredOption", `${what} names question ${followUpQuestion}, but ${always}.`, place);
    }
  }
  if (definition.questions.some((question) => question.type === "LevelQuestion" && question.options.some(({ type }) => type === "No")))
    for (const rule of definition.levelQuestionRules)
      if (!fired.has(rule)) report.fault("levelRuleNeverFires", `The level rule of ${rule.no} No and ${rule.maybe} Maybe never applies.`);
}

function checkGroup(
  compiled: CompiledQuestionnaire,
  what: string,
  never: string,
  group: RuleGroup | undefined,
  held: ReadonlySet<RuleGroup | Rule>,
  report: Reporter,
  place: Place,
): void {
  if (group === undefined) return;
  if (!held.has(group)) {
    const reasons = rulesIn(group).flatMap((rule) => whyNever(compiled, rule));
    report.fault(
      "neverHolds",
      `${what} ${never}: its requirements never hold${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}.`,
      place,
    );
    return;
  }
  // "Last level question is 41, or 42, or 43" is a range: one of them may be a question at which no visitor stops.
  const ranged = rulesIn(group).some((rule) => isRangeMember(rule) && held.has(rule));
  const inRange = (rule: Rule) => ranged && isRangeMember(rule) && whyNever(compiled, rule).length === 0;
  for (const inner of groupsIn(group)) {
    const rules = rulesIn(inner);
    // Rules that never hold on their own are reported below.
    if (held.has(inner) || rules.some((rule) => !held.has(rule))) continue;
    report.fault(
      "deadRule",
      `${what} has rules that never hold together: ${rules.map((rule) => JSON.stringify(rule)).join(" and ")}.`,
      place,
    );
  }
  for (const rule of rulesIn(group)) {
    if (held.has(rule) || inRange(rule)) continue;
    const reasons = whyNever(compiled, rule).map((reason) => ` (${reason})`);
    report.fault("deadRule", `${what} has a rule that never holds: ${JSON.stringify(rule)}${reasons.join("")}.`, place);
  }
}

/** All subgroups of a group, outer ones before inner ones. */
function groupsIn(group: RuleGroup): readonly RuleGroup[] {
  return group.rules.flatMap((rule) => ("rules" in rule ? [rule, ...groupsIn(rule)] : []));
}

function isRangeMember(rule: Rule): boolean {
  return rule.lastLevelQuestion !== undefined && Object.keys(rule).length === 1;
}

function whyNever({ definition, nodes }: CompiledQuestionnaire, rule: Rule): readonly string[] {
  const asked = rule.questionId === undefined ? undefined : nodes[rule.questionId]?.question;
  return [
    ...(rule.questionId !== undefined && asked === undefined ? [`there is no question ${rule.questionId}`] : []),
    ...(asked !== undefined && rule.optionId !== undefined && !asked.options.some((option) => option.id === rule.optionId)
      ? [`question ${asked.id} has no option ${rule.optionId}`]
      : []),
    ...(rule.schedule !== undefined && !definition.schedules.some((schedule) => schedule.id === rule.schedule)
      ? [`there is no study schedule ${rule.schedule}`]
      : []),
    ...(rule.lastLevelQuestion !== undefined && nodes[rule.lastLevelQuestion]?.isLevel !== true
      ? [`question ${rule.lastLevelQuestion} is no level question`]
      : []),
  ];
}
