import { parseContent } from "#blocks/allContents.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { requiredDays } from "#core/questionnaire/schedule.ts";
import type { State } from "#core/questionnaire/state.ts";

/** The state of a link's answers with as many days as its visitor can choose: the selection beyond that is ignored (spec 001 §4). */
export function withFittingDays({ definition }: CompiledQuestionnaire, state: State): State {
  if (state.days.length === 0) return state;
  const limits = definition.questions
    .flatMap(({ contents }) => contents.filter(({ type }) => type === "daySelection"))
    .map(parseContent)
    .map((content) => (content.type === "daySelection" ? requiredDays(content.daySelectionOptions.days, state) : 0));
  return { ...state, days: state.days.slice(0, Math.max(0, ...limits)) };
}
