import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The choice of a schedule (spec 001 §2, §3). */
const schema = v.strictObject({
  type: v.literal("studySchedule"),
  requirements: v.optional(ruleGroupSchema),
  studyScheduleOptions: v.optional(
    v.strictObject({
      /** Compact cards without pictures. */
      mini: v.optional(v.boolean(), false),
    }),
    {},
  ),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "studySchedule",
  schema,
  validate: (_content, { state }) => (state.schedule === undefined ? "fail" : "pass"),
  uiTexts: ["block.studySchedule.label"],
  pictures: ({ studyScheduleOptions: { mini } }, schedules) => (mini ? [] : schedules.flatMap(({ picture }) => picture ?? [])),
});
