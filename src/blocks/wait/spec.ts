import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("wait"),
  requirements: v.optional(ruleGroupSchema),
  /** Milliseconds until the action button shows. */
  duration: v.pipe(v.number(), v.minValue(0)),
  text: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "wait",
  schema,
  /** Blocks until its time is over (spec 001 §4). */
  validate: (_content, { done }) => (done ? "pass" : "block"),
  uiTexts: ["block.wait.text"],
});
