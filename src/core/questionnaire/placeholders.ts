/** The values of placeholders in contents (spec 001 §3). */
import type { Formats } from "../formats.ts";
import { localeTraits } from "../locales.ts";
import { discountPercentage, feePerMonth, feePerWeek, halfFee, planMonths, planWeeks, totalFee } from "../money.ts";
import type { Product } from "../products.ts";
import { plainText, type TextValues } from "../text.ts";
import { addMonths } from "./calendar.ts";
import type { CompiledQuestionnaire } from "./compile.ts";
import type { Context } from "./context.ts";
import type { Level } from "./definition.ts";
import { targetLevel, userLevel } from "./level.ts";
import { assumedLevels, type Plan, planOf } from "./plan.ts";
import type { State } from "./state.ts";

/**
 * Every placeholder. `needs`: what must be known before it has a value ("always": nothing). `kind`: a number (formatted for the locale,
 * usable in plurals) or a finished text.
 */
export const placeholders = {
  /** Months of the program; 9 before a schedule is chosen. */
  MONTHS: { needs: "always", kind: "number" },
  /** Weeks in a quarter (13), and the break weeks among them (3). */
  WEEKS: { needs: "always", kind: "number" },
  BREAK_WEEKS: { needs: "always", kind: "number" },
  /** Days a week: the number chosen, else the schedule's, else 5. */
  DAYS: { needs: "always", kind: "number" },
  /** Names of the chosen days: "lunes, martes y viernes". */
  DAY_NAMES: { needs: "days", kind: "text" },
  /** Minutes per session. */
  MINUTES: { needs: "schedule", kind: "number" },
  MINUTES_PER_SESSION: { needs: "schedule", kind: "number" },
  PRACTICE_DAYS_PER_WEEK: { needs: "schedule", kind: "number" },
  /** Minutes a week, and how they are divided. */
  TOTAL_WEEKLY_TIME: { needs: "schedule", kind: "number" },
  MINUTES_ON_APP: { needs: "schedule", kind: "number" },
  MINUTES_ON_LESSONS: { needs: "schedule", kind: "number" },
  MINUTES_ON_RECORDED_LESSONS: { needs: "schedule", kind: "number" },
  MINUTES_ON_INTERACTIVE_EXERCISES: { needs: "schedule", kind: "number" },
  /** Stages from the level to the target level (the program is the first), and hours of study in all of them and in the program. */
  STAGES: { needs: "always", kind: "number" },
  HOURS_TO_TARGET: { needs: "always", kind: "number" },
  PROGRAM_HOURS: { needs: "schedule", kind: "number" },
  /** The first practice day and the program's last day, as D/M/YYYY and in words. */
  START_DATE: { needs: "always", kind: "text" },
  START_DATE_LONG: { needs: "always", kind: "text" },
  END_DATE: { needs: "always", kind: "text" },
  END_DATE_LONG: { needs: "always", kind: "text" },
  /** The month of the program's last day: "mayo de 2027". */
  END_MONTH_YEAR: { needs: "always", kind: "text" },
  /** Names of the months 3, 6 and 9 months from today. */
  MONTH_IN_3: { needs: "always", kind: "text" },
  MONTH_IN_6: { needs: "always", kind: "text" },
  MONTH_IN_9: { needs: "always", kind: "text" },
  /** The selected product's price, half of it, and the total of one charge. */
  SUBSCRIPTION_FEE: { needs: "product", kind: "text" },
  SUBSCRIPTION_FEE_DISCOUNT_50: { needs: "product", kind: "text" },
  SUBSCRIPTION_TOTAL_FEE: { needs: "product", kind: "text" },
  /** The selected product's plan and price, and the discount on its list price in percent. */
  ME_MONTHS: { needs: "product", kind: "number" },
  ME_MONTHS_PLUS_ONE: { needs: "product", kind: "number" },
  ME_WEEKS_PLUS_ONE: { needs: "product", kind: "number" },
  ME_FEE: { needs: "product", kind: "text" },
  ME_FEE_PER_MONTH: { needs: "product", kind: "text" },
  ME_FEE_PER_WEEK: { needs: "product", kind: "text" },
  ME_DISCOUNT_PERCENTAGE: { needs: "product", kind: "number" },
  ME_TOTAL_FEE: { needs: "product", kind: "text" },
  /** Days before the first charge; 0 without a trial. */
  TRIAL_DAYS: { needs: "product", kind: "number" },
  /** Levels by name ("principiante"), by key for `select` (beginner, basic, intermediate, upperintermediate), and in a sentence. */
  INITIAL_LEVEL: { needs: "level", kind: "text" },
  INITIAL_LEVEL_KEY: { needs: "level", kind: "text" },
  INITIAL_LEVEL_TEXT: { needs: "level", kind: "text" },
  TARGET_LEVEL: { needs: "targetLevel", kind: "text" },
  TARGET_LEVEL_KEY: { needs: "targetLevel", kind: "text" },
  EMAIL: { needs: "email", kind: "text" },
  FIRSTNAME: { needs: "firstname", kind: "text" },
} as const satisfies Record<
  string,
  { needs: "always" | "schedule" | "days" | "product" | "level" | "targetLevel" | "email" | "firstname"; kind: "number" | "text" }
>;
export type Placeholder = keyof typeof placeholders;

export interface PlaceholderInput {
  readonly compiled: CompiledQuestionnaire;
  readonly state: State;
  readonly context: Context;
  readonly formats: Formats;
  readonly product?: Product | null | undefined;
}

/** The values of all placeholders; undefined for those not known yet. Throws the errors of `userLevel` and `targetLevel`. */
export function placeholderValues(input: PlaceholderInput): TextValues & Record<Placeholder, string | number | undefined> {
  const { compiled, state, context, formats, product } = input;
  const plan = planOf(input);
  const initial = userLevel(compiled, state);
  const target = targetLevel(compiled, state, context);
  return {
    MONTHS: plan.months,
    WEEKS: plan.weeks,
    BREAK_WEEKS: plan.breakWeeks,
    DAYS: state.days.length || plan.practiseDaysPerWeek,
    DAY_NAMES: state.days.length === 0 ? undefined : formats.list(state.days.map((day) => formats.weekday(day, "long"))),
    ...(plan.pace === null ? noPlanValues : planValues(plan)),
    STAGES: plan.stages,
    HOURS_TO_TARGET: plan.hoursToTarget,
    START_DATE: formats.shortDate(plan.start),
    START_DATE_LONG: formats.longDate(plan.start),
    END_DATE: formats.shortDate(plan.end),
    END_DATE_LONG: formats.longDate(plan.end),
    END_MONTH_YEAR: formats.monthAndYear(plan.end),
    MONTH_IN_3: formats.month(addMonths(context.today, 3)),
    MONTH_IN_6: formats.month(addMonths(context.today, 6)),
    MONTH_IN_9: formats.month(addMonths(context.today, 9)),
    ...(product ? productValues(product, formats) : noProductValues),
    ...(initial === null ? noInitialLevelValues : initialLevelValues(initial, input)),
    ...(target === null ? noTargetLevelValues : targetLevelValues(target, input)),
    EMAIL: state.user.email,
    FIRSTNAME: state.user.firstname,
  };
}

/**
 * Placeholder values for display. On a page opened out of order, or rendered by the server without answers, the most common answers fill
 * the gaps.
 */
export function shownValues(input: PlaceholderInput): TextValues & Record<Placeholder, string | number | undefined> {
  const values = placeholderValues(input);
  return {
    ...values,
    ...(values.PROGRAM_HOURS === undefined && input.compiled.definition.schedules.length > 0 ? planValues(planOf(input)) : {}),
    ...(values.INITIAL_LEVEL_KEY === undefined ? initialLevelValues(assumedLevels.initial, input) : {}),
    // The target that the chart shows: above a known level it is the next one.
    ...(values.TARGET_LEVEL_KEY === undefined ? targetLevelValues(planOf(input).target ?? assumedLevels.target, input) : {}),
  };
}

const noInitialLevelValues = { INITIAL_LEVEL: undefined, INITIAL_LEVEL_KEY: undefined, INITIAL_LEVEL_TEXT: undefined };
const noTargetLevelValues = { TARGET_LEVEL: undefined, TARGET_LEVEL_KEY: undefined };

function initialLevelValues(level: Level, input: PlaceholderInput) {
  const { name, text } = levelTexts(level, input);
  return { INITIAL_LEVEL: name, INITIAL_LEVEL_KEY: level, INITIAL_LEVEL_TEXT: text };
}

function targetLevelValues(level: Level, input: PlaceholderInput) {
  return { TARGET_LEVEL: levelTexts(level, input).name, TARGET_LEVEL_KEY: level };
}

function levelTexts(level: Level, { compiled, context }: PlaceholderInput) {
  const { name, text } = compiled.definition.levels[level];
  const { intl } = localeTraits[context.locale];
  return { name: plainText(name, {}, intl), text: plainText(text, {}, intl) };
}

type PlaceholderOf<Needs extends string> = {
  [Name in Placeholder]: (typeof placeholders)[Name]["needs"] extends Needs ? Name : never;
}[Placeholder];
type PlanPlaceholder = PlaceholderOf<"schedule">;
type ProductPlaceholder = PlaceholderOf<"product">;

const noPlanValues: Readonly<Record<PlanPlaceholder, undefined>> = {
  MINUTES: undefined,
  MINUTES_PER_SESSION: undefined,
  PRACTICE_DAYS_PER_WEEK: undefined,
  TOTAL_WEEKLY_TIME: undefined,
  MINUTES_ON_APP: undefined,
  MINUTES_ON_LESSONS: undefined,
  MINUTES_ON_RECORDED_LESSONS: undefined,
  MINUTES_ON_INTERACTIVE_EXERCISES: undefined,
  PROGRAM_HOURS: undefined,
};

function planValues(plan: Plan): Readonly<Record<PlanPlaceholder, number>> {
  return {
    MINUTES: plan.minutesPerSession,
    MINUTES_PER_SESSION: plan.minutesPerSession,
    PRACTICE_DAYS_PER_WEEK: plan.practiseDaysPerWeek,
    TOTAL_WEEKLY_TIME: plan.minutesPerWeek,
    MINUTES_ON_APP: plan.minutesOnApp,
    MINUTES_ON_LESSONS: plan.minutesOnLessons,
    MINUTES_ON_RECORDED_LESSONS: plan.minutesOnRecordedLessons,
    MINUTES_ON_INTERACTIVE_EXERCISES: plan.minutesOnInteractiveExercises,
    PROGRAM_HOURS: plan.hours,
  };
}

const noProductValues: Readonly<Record<ProductPlaceholder, undefined>> = {
  SUBSCRIPTION_FEE: undefined,
  SUBSCRIPTION_FEE_DISCOUNT_50: undefined,
  SUBSCRIPTION_TOTAL_FEE: undefined,
  ME_MONTHS: undefined,
  ME_MONTHS_PLUS_ONE: undefined,
  ME_WEEKS_PLUS_ONE: undefined,
  ME_FEE: undefined,
  ME_FEE_PER_MONTH: undefined,
  ME_FEE_PER_WEEK: undefined,
  ME_DISCOUNT_PERCENTAGE: undefined,
  ME_TOTAL_FEE: undefined,
  TRIAL_DAYS: undefined,
};

/** The placeholders of one product, for texts that stand beside each of several offers. */
export function productValues(product: Product, formats: Formats): Readonly<Record<ProductPlaceholder, string | number>> {
  const money = (minorUnits: number) => formats.money(minorUnits, product.currency);
  return {
    SUBSCRIPTION_FEE: money(product.price),
    SUBSCRIPTION_FEE_DISCOUNT_50: money(halfFee(product.price)),
    SUBSCRIPTION_TOTAL_FEE: money(totalFee(product)),
    ME_MONTHS: planMonths(product.productPlan),
    ME_MONTHS_PLUS_ONE: planMonths(product.productPlan) + 1,
    ME_WEEKS_PLUS_ONE: planWeeks(product.productPlan) + 1,
    ME_FEE: money(product.price),
    ME_FEE_PER_MONTH: money(feePerMonth(product)),
    ME_FEE_PER_WEEK: money(feePerWeek(product)),
    ME_DISCOUNT_PERCENTAGE: discountPercentage(product),
    ME_TOTAL_FEE: money(totalFee(product)),
    TRIAL_DAYS: product.trialDays,
  };
}
