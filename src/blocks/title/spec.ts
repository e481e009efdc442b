import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The heading of a question; the page focuses it after a step. */
const schema = v.strictObject({
  type: v.literal("title"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "title",
  schema,
  validate: () => "pass",
});
