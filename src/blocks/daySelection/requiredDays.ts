import { defaultDays } from "#core/questionnaire/schedule.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Content } from "./spec.ts";

/** How many days must be chosen, and no more can be. */
export function requiredDays({ daySelectionOptions: { days } }: Content, { studySchedule }: Pick<State, "studySchedule">): number {
  return days === "schedule" ? (studySchedule?.practiseDaysPerWeek ?? defaultDays) : days;
}
