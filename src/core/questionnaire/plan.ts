/**
 * The visitor's plan: level, target, pace, days, minutes, months, dates and hours. Computed only here; screens, mails and the saved state
 * use it. The length of a program follows from its hours of study (decisions/099).
 */
import { addDays, weekdayOf } from "./calendar.ts";
import { type CompiledQuestionnaire, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import type { StudySchedule } from "./definition.ts";
import { type Level, levels } from "./levels.ts";
import { userLevelOrNull, targetLevel, userLevel } from "./level.ts";
import { selectedOption } from "./requirements.ts";
import {
  defaultBreakWeeks,
  defaultDays,
  defaultMonths,
  defaultWeeks,
  programEndDate,
  type SchedulePlan,
  schedulePlan,
} from "./schedule.ts";
import type { State } from "./state.ts";

/** Guided learning hours from zero to each level and beyond the highest: A2, B1, B2, C1 (decisions/099). */
const hoursTo: Readonly<Record<Level | "beyond", number>> = {
  beginner: 0,
  basic: 190,
  intermediate: 375,
  upperintermediate: 550,
  beyond: 750,
};
/** Stages from one level to the next. A program covers the first of them. */
export const stagesPerLevel = 5;

/** The levels that texts and charts assume without an answer (decisions/061, 062). */
export const assumedLevels = { initial: "beginner", target: "intermediate" } as const satisfies Record<string, Level>;

/** A schedule for one visitor: available time and level make it longer, shorter or denser. */
export interface Pace {
  readonly id: number;
  readonly months: number;
  readonly practiseDaysPerWeek: number;
  readonly minutesPerSession: number;
}

export interface Plan extends SchedulePlan {
  /** Every schedule at this visitor's pace, in the definition's order. */
  readonly paces: readonly Pace[];
  /** The chosen pace; null before the choice. The figures then use an assumed pace. */
  readonly pace: Pace | null;
  readonly initial: Level;
  /** Above the initial level; null above the highest level. */
  readonly target: Level | null;
  /** The level after the initial one, towards which the program works; null above the highest level. */
  readonly next: Level | null;
  /** Stages from the initial level to the target; the program covers the first. */
  readonly stages: number;
  /** Hours of study from the initial level to the target, and in the program. */
  readonly hoursToTarget: number;
  readonly hours: number;
  /** Weeks of the whole program. */
  readonly programWeeks: number;
  readonly programBreakWeeks: number;
  /** YYYY-MM-DD. The first practice day is today or later; the last day is the schedule's months from today, minus one day. */
  readonly start: string;
  readonly end: string;
}

interface PlanInput {
  readonly compiled: CompiledQuestionnaire;
  readonly state: State;
  readonly context: Context;
}

/** A schedule at the visitor's pace. */
export function paceOf(compiled: CompiledQuestionnaire, state: State, schedule: StudySchedule): Pace {
  const { monthsFrom, months, practiseDaysPerWeek, minutesPerSession } =
    schedule.variants?.find(({ answers }) => answers.some(({ questionId, optionId }) => selectedOption(state, questionId) === optionId)) ??
    schedule;
  const level = monthsFrom === undefined ? null : userLevelOrNull(compiled, state);
  return { id: schedule.id, months: (level && monthsFrom?.[level]) ?? months, practiseDaysPerWeek, minutesPerSession };
}

/** The chosen schedule's figures as of today; null before one is chosen. */
export function agreedSchedule(
  compiled: CompiledQuestionnaire,
  state: State,
  today: string,
): { readonly pace: Pace; readonly end: string } | null {
  const schedule = scheduleOf(compiled, state.schedule);
  if (schedule === undefined) return null;
  const pace = paceOf(compiled, state, schedule);
  return { pace, end: programEndDate(pace.months, today) };
}

/** The current plan. Throws the errors of `userLevel` and `targetLevel`. */
export function planOf({ compiled, state, context }: PlanInput): Plan {
  const initial = userLevel(compiled, state);
  return planFrom({
    paces: compiled.definition.schedules.map((schedule) => paceOf(compiled, state, schedule)),
    chosen: state.schedule,
    initial: initial ?? assumedLevels.initial,
    target: initial === null ? assumedLevels.target : targetLevel(compiled, state, context),
    days: state.days,
    wishes: state.programChangeWish,
    today: context.today,
  });
}

/** The inputs of a plan. */
interface PlanParts {
  readonly paces: readonly Pace[];
  /** Id of the chosen pace. */
  readonly chosen: number | undefined;
  readonly initial: Level;
  readonly target: Level | null;
  readonly days: readonly number[];
  /** What the visitor would change in the plan. */
  readonly wishes?: readonly string[];
  readonly today: string;
}

export function planFrom({ paces, chosen, initial, target: wanted, days, wishes, today }: PlanParts): Plan {
  const pace = paces.find(({ id }) => id === chosen) ?? null;
  const shown = pace ?? assumedPace(paces);
  const first = levels.indexOf(initial);
  const target = targetAbove(initial, wanted);
  return {
    ...schedulePlan(shown, wishes),
    paces,
    pace,
    initial,
    target,
    next: levels[first + 1] ?? null,
    stages: stagesPerLevel * ((target === null ? levels.length : levels.indexOf(target)) - first),
    hoursToTarget: hoursTo[target ?? "beyond"] - hoursTo[initial],
    hours: Math.floor(hoursOf(shown)),
    ...weeksOf(shown.months),
    start: firstDay(days, today),
    end: programEndDate(shown.months, today),
  };
}

/** A missing target, or one not above the initial level, is replaced by the next level. */
function targetAbove(initial: Level, target: Level | null): Level | null {
  const first = levels.indexOf(initial) + 1;
  return levels[Math.max(target === null ? 0 : levels.indexOf(target), first)] ?? null;
}

/** A pace with the default months and days (spec 001 §9). Its minutes are those of the pace that takes as many months, else of the first pace. */
function assumedPace(paces: readonly Pace[]): Pace {
  const usual = paces.find(({ months }) => months === defaultMonths) ?? paces[0];
  return { id: 0, minutesPerSession: 0, ...usual, months: defaultMonths, practiseDaysPerWeek: defaultDays };
}

/** A quarter has thirteen weeks of study and three of rest (spec 001 §9). */
function weeksOf(months: number): Pick<Plan, "programWeeks" | "programBreakWeeks"> {
  const quarters = months / 3;
  return { programWeeks: Math.round(quarters * defaultWeeks), programBreakWeeks: Math.round(quarters * defaultBreakWeeks) };
}

/** The study weeks of a quarter, counted from 0. The rest weeks are spread evenly between them, as many as `weeksOf` counts. */
export const studyWeeks: readonly number[] = Array.from({ length: defaultWeeks }, (_, week) => week).filter((week) => {
  const restsBefore = (weeks: number) => Math.round((weeks * defaultBreakWeeks) / defaultWeeks);
  return restsBefore(week + 1) === restsBefore(week);
});

/** Hours of study in a program: all sessions outside the rest weeks. A stage has to fit into them. */
export function hoursOf({ months, practiseDaysPerWeek, minutesPerSession }: Omit<Pace, "id">): number {
  const { programWeeks, programBreakWeeks } = weeksOf(months);
  return ((programWeeks - programBreakWeeks) * practiseDaysPerWeek * minutesPerSession) / 60;
}

/** The share of the way to the target after each stage, from 0 to 1. All stages are equally long on a chart. */
export function stageShares(stages: number): readonly number[] {
  return Array.from({ length: stages }, (_, index) => (index + 1) / stages);
}

/** Hours of study in one stage from this level. */
export function stageHours(initial: Level): number {
  const next = levels[levels.indexOf(initial) + 1] ?? "beyond";
  return (hoursTo[next] - hoursTo[initial]) / stagesPerLevel;
}

/** The fewest months in which a stage fits, per level, with this many days and minutes. For authors of schedules. */
export function monthsFromEach(practiseDaysPerWeek: number, minutesPerSession: number): Readonly<Record<Level, number>> {
  const fewest = (initial: Level) => {
    let months = 1;
    while (hoursOf({ months, practiseDaysPerWeek, minutesPerSession }) < stageHours(initial)) months += 1;
    return months;
  };
  return {
    beginner: fewest("beginner"),
    basic: fewest("basic"),
    intermediate: fewest("intermediate"),
    upperintermediate: fewest("upperintermediate"),
  };
}

/** The first of the chosen days, today or later; today before any is chosen. */
export function firstDay(days: readonly number[], today: string): string {
  const weekday = weekdayOf(today);
  return addDays(today, Math.min(...(days.length === 0 ? [weekday] : days).map((day) => (day - weekday + 7) % 7)));
}
