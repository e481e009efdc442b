import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The promise as a chart: from today's level towards the target level, up to the end of the first stage, month by month (spec 001 §2). */
const schema = v.strictObject({
  type: v.literal("programPromise"),
  requirements: v.optional(ruleGroupSchema),
  programPromiseOptions: v.optional(
    v.strictObject({
      /** Whether a band around the line shows how much depends on practice. */
      range: v.optional(v.boolean(), true),
      /** Length of the axis before a schedule is chosen, nine months by default (spec 001 §9). */
      months: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(36))),
    }),
    {},
  ),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "programPromise",
  schema,
  validate: () => "pass",
  uiTexts: [
    "block.programPromise.sentence",
    "block.programPromise.sentenceOpen",
    "block.programPromise.goal",
    "block.programPromise.stage",
    "block.programPromise.sentenceRange",
    "block.programPromise.beyond",
    "block.programPromise.path",
    "block.programPromise.range",
    "block.programPromise.weeks",
    "block.programPromise.days",
    "block.programPromise.minutes",
    "block.programPromise.week",
    "block.programPromise.app",
    "block.programPromise.lessons",
    "block.programPromise.interactiveExercises",
    "block.programPromise.recordedLessons",
    "block.programPromise.minutesShort",
  ],
  needs: ["level", "targetLevel"],
  pictures: () => ["point"],
});
