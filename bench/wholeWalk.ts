import { questionnaireFor } from "#content/questionnaires/index.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, step } from "#core/questionnaire/step.ts";

function walk(): State {
  const compiled = compile(questionnaireFor("76", "es-419"));
  const context: Context = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" };
  let state = initialState(compiled);
  for (let answers = 0; answers < 100; answers++) {
    const node = compiled.nodes[state.currentQuestionId];
    if (!node || state.visitedQuestionIds.includes(state.currentQuestionId)) break;
    if (node.choosesSchedule)
      state = step(compiled, state, { type: "chooseSchedule", scheduleId: compiled.definition.schedules[0]?.id ?? 1 }, context).state;
    const option = visibleOptions(compiled, node.question, state, context).find(
      ({ type }) => type !== "ToHomePage" && type !== "ToPrevious",
    );
    if (!option) break;
    state = step(compiled, state, { type: "answer", questionId: state.currentQuestionId, optionId: option.id }, context).state;
  }
  return state;
}

/** A visitor's final state in version 76, with all answers, as it is saved. */
export const wholeWalk = savedState(walk());
