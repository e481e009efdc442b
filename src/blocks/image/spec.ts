import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/text.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** A picture on a coloured shape. */
const schema = v.strictObject({
  type: v.literal("image"),
  requirements: v.optional(ruleGroupSchema),
  /** Name of a picture. */
  image: v.string(),
  /** Empty for a picture that only decorates. */
  alt: textSchema,
  /** A short word on a tag over the picture's corner. */
  badge: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "image",
  schema,
  validate: () => "pass",
});
