import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Several paragraphs of running text. */
const schema = v.strictObject({
  type: v.literal("paragraphs"),
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(v.array(textSchema), v.minLength(1)),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "paragraphs",
  schema,
  validate: () => "pass",
});
