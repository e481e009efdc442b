/** What a study schedule determines: the program's end date, and how a week's minutes are divided (spec 000 §4; spec 001 §3, §9). */
import { addDays, addMonths } from "./calendar.ts";
import type { StudySchedule } from "./definition.ts";
import type { State } from "./state.ts";

/** Default program length, study days, and the weeks and break weeks of a quarter (spec 001 §9). */
export const defaultMonths = 9;
export const defaultDays = 5;
export const defaultWeeks = 13;
export const defaultBreakWeeks = 3;

export interface SchedulePlan {
  readonly months: number;
  /** Weeks in a quarter, and how many of them are breaks. */
  readonly weeks: number;
  readonly breakWeeks: number;
  readonly practiseDaysPerWeek: number;
  readonly minutesPerSession: number;
  readonly minutesPerWeek: number;
  /** Minutes per week by activity; they add up to `minutesPerWeek`. */
  readonly minutesOnApp: number;
  readonly minutesOnLessons: number;
  readonly minutesOnRecordedLessons: number;
  readonly minutesOnInteractiveExercises: number;
}

type Pace = Pick<StudySchedule, "months" | "practiseDaysPerWeek" | "minutesPerSession">;

/** The exact number of practice days to choose: the chosen schedule's, or the number in the block (spec 001 §4). */
export function requiredDays(days: number | "schedule", { studySchedule }: Pick<State, "studySchedule">): number {
  return days === "schedule" ? (studySchedule?.practiseDaysPerWeek ?? defaultDays) : days;
}

/** The program's last day: the schedule's months from today, minus one day (spec 000 §4). */
export function programEndDate(months: number, today: string): string {
  return addDays(addMonths(today, months), -1);
}

/**
 * How a week is divided: a fifth each on lessons, recorded lessons and interactive exercises, the rest in the app, where one speaks. The visitor's
 * wishes change that: with `people`, the lessons' share doubles; with `speaking`, the shares of recorded lessons and exercises halve.
 */
export function schedulePlan(schedule: Pace, wishes: readonly string[] = []): SchedulePlan {
  const minutesPerWeek = schedule.practiseDaysPerWeek * schedule.minutesPerSession;
  const tenths = (count: number) => Math.floor((minutesPerWeek * count) / 10);
  const minutesOnLessons = tenths(wishes.includes("people") ? 4 : 2);
  const minutesOnEachOther = tenths(wishes.includes("speaking") ? 1 : 2);
  return {
    months: schedule.months,
    weeks: defaultWeeks,
    breakWeeks: defaultBreakWeeks,
    practiseDaysPerWeek: schedule.practiseDaysPerWeek,
    minutesPerSession: schedule.minutesPerSession,
    minutesPerWeek,
    minutesOnApp: minutesPerWeek - minutesOnLessons - 2 * minutesOnEachOther,
    minutesOnLessons,
    minutesOnRecordedLessons: minutesOnEachOther,
    minutesOnInteractiveExercises: minutesOnEachOther,
  };
}
