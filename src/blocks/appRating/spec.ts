import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Stars of a full rating. */
export const maxRating = 5;

const schema = v.strictObject({
  type: v.literal("appRating"),
  requirements: v.optional(ruleGroupSchema),
  rating: v.pipe(v.number(), v.minValue(0), v.maxValue(maxRating)),
  /** The source of the rating and the number of ratings. */
  text: textSchema,
  /** An invented example, marked as such (decision 136). */
  example: v.optional(v.boolean()),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "appRating", schema, validate: () => "pass", uiTexts: ["block.appRating.stars", "block.example"] });
