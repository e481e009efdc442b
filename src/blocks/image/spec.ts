import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/text.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** A picture on a colored shape. */
const schema = v.strictObject({
  type: v.literal("image"),
  requirements: v.optional(ruleGroupSchema),
  /** Name of a picture. */
  image: v.string(),
  /** Empty for a decorative picture. */
  alt: textSchema,
  /** A short tag on the picture's corner. */
  badge: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "image",
  schema,
  validate: () => "pass",
});
