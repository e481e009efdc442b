/** What a visitor has answered so far (spec 000 §3, §4; spec 001 §3). */
import * as v from "valibot";
import { releaseNamePattern } from "../release.ts";

const id = v.pipe(v.number(), v.integer(), v.minValue(1));

const stateUserSchema = v.object({
  uuid: v.optional(v.string()),
  email: v.optional(v.string()),
  password: v.optional(v.string()),
  firstname: v.optional(v.string()),
  uiLanguage: v.optional(v.string()),
});

const stateStudyScheduleSchema = v.object({
  id,
  months: v.number(),
  practiseDaysPerWeek: v.number(),
  minutesPerSession: v.number(),
});

export const stateSchema = v.object({
  /** The questionnaire's version. */
  id: v.string(),
  /** The name of the version's release in which the answers were given. States before 2026-11-24 have none. */
  release: v.optional(v.pipe(v.string(), v.regex(releaseNamePattern))),
  signupDone: v.boolean(),
  finished: v.boolean(),
  /** ISO 8601, set with `finished`. */
  finishedTimestamp: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  visitedQuestionIds: v.array(id),
  selectedOptions: v.array(v.object({ questionId: id, optionId: id })),
  currentQuestionId: id,
  user: stateUserSchema,
  /** Id of the chosen study schedule. */
  schedule: v.optional(id),
  /** Chosen days of the week, 0 = Monday … 6 = Sunday, ascending. */
  days: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6))), v.maxLength(7)),
  studySchedule: v.optional(stateStudyScheduleSchema),
  /** YYYY-MM-DD: the schedule's months from today, minus one day. */
  programEndDate: v.optional(v.pipe(v.string(), v.isoDate())),
  skillsToImprove: v.array(v.string()),
  moreInfoOf: v.array(v.string()),
  programChangeWish: v.array(v.string()),
});
type Mutable = v.InferOutput<typeof stateSchema>;
export type State = Readonly<
  Omit<Mutable, "visitedQuestionIds" | "selectedOptions" | "days" | "skillsToImprove" | "moreInfoOf" | "programChangeWish" | "user">
> & {
  readonly visitedQuestionIds: readonly number[];
  readonly selectedOptions: readonly { readonly questionId: number; readonly optionId: number }[];
  readonly days: readonly number[];
  readonly skillsToImprove: readonly string[];
  readonly moreInfoOf: readonly string[];
  readonly programChangeWish: readonly string[];
  readonly user: Readonly<Mutable["user"]>;
};
export const listField = v.picklist(["skillsToImprove", "moreInfoOf", "programChangeWish"]);
export type ListField = v.InferOutput<typeof listField>;
export type StateUser = State["user"];
