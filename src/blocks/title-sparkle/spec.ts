import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** A celebratory heading: stars twinkle once beside it. */
const schema = v.strictObject({
  type: v.literal("title-sparkle"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "title-sparkle",
  schema,
  validate: () => "pass",
});
