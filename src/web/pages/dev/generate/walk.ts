/** How a visitor gets to a question: the shortest way through a questionnaire that a person could have taken. */
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { RuleGroup } from "#core/questionnaire/definition.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, step } from "#core/questionnaire/step.ts";

/** More histories than any questionnaire needs to have every question reached. */
const mostHistories = 20_000;

/** The state of a visitor who stands at a question, with everything answered before it; null when no way leads there. */
export function walkTo(compiled: CompiledQuestionnaire, questionId: number, context: Context): State | null {
  const branching = branchingQuestions(compiled);
  const waiting = [initialState(compiled)];
  const seen = new Set<string>();
  for (let next = 0; next < waiting.length && seen.size < mostHistories; next += 1) {
    const state = waiting[next];
    if (state === undefined || state.currentQuestionId === questionId) return state ?? null;
    const question = compiled.question(state.currentQuestionId);
    // Histories that differ in what a rule asks about may lead elsewhere: in answers, or in how many were No and Maybe.
    const kinds = state.selectedOptions.map(
      ({ questionId: at, optionId }) => compiled.question(at)?.options.find(({ id }) => id === optionId)?.type,
    );
    const asked = state.selectedOptions.filter((selected) => branching.has(selected.questionId)).map(({ optionId }) => optionId);
    const key = [
      state.currentQuestionId,
      kinds.filter((kind) => kind === "No").length,
      kinds.filter((kind) => kind === "Maybe").length,
      ...asked,
    ].join(" ");
    if (seen.has(key) || question === undefined) continue;
    seen.add(key);
    const ready = withPace(compiled, state, context);
    for (const option of visibleOptions(compiled, question, ready, context)) {
      if (option.type === "ToPrevious" || option.type === "ToHomePage") continue;
      waiting.push(step(compiled, ready, { type: "answer", questionId: question.id, optionId: option.id }, context).state);
    }
  }
  return null;
}

/** Questions whose answers decide a later follow-up. */
function branchingQuestions(compiled: CompiledQuestionnaire): ReadonlySet<number> {
  const idsIn = ({ rules }: RuleGroup): number[] =>
    rules.flatMap((rule) => ("rules" in rule ? idsIn(rule) : rule.questionId === undefined ? [] : [rule.questionId]));
  const groups = compiled.definition.questions.flatMap(({ followUps = [] }) =>
    followUps.flatMap(({ requirements }) => (requirements ? [requirements] : [])),
  );
  return new Set(groups.flatMap(idsIn));
}

/** What a question asks for besides an option: a schedule, days. */
function withPace(compiled: CompiledQuestionnaire, state: State, context: Context): State {
  const node = compiled.nodes[state.currentQuestionId];
  const [schedule] = compiled.definition.schedules;
  if (node?.choosesSchedule && schedule !== undefined)
    return step(compiled, state, { type: "chooseSchedule", scheduleId: schedule.id }, context).state;
  if (node?.choosesDays)
    return step(
      compiled,
      state,
      { type: "chooseDays", days: [0, 1, 2, 3, 4, 5, 6].slice(0, state.studySchedule?.practiseDaysPerWeek ?? 5) },
      context,
    ).state;
  return state;
}
