import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Running text. */
const schema = v.strictObject({
  type: v.literal("paragraph"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "paragraph",
  schema,
  validate: () => "pass",
});
