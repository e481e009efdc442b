import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Frequent questions; each answer opens below its question. */
const schema = v.strictObject({
  type: v.literal("questions"),
  requirements: v.optional(ruleGroupSchema),
  title: textSchema,
  items: v.pipe(v.array(v.strictObject({ question: textSchema, answer: textSchema })), v.minLength(1)),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "questions", schema, validate: () => "pass" });
