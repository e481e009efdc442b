import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The sentence under a heading. */
const schema = v.strictObject({
  type: v.literal("description"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "description",
  schema,
  validate: () => "pass",
});
