import { pictureName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textOrEmpty, textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** A picture on a colored shape. */
const schema = v.strictObject({
  type: v.literal("image"),
  requirements: v.optional(ruleGroupSchema),
  image: pictureName,
  /** Empty for a decorative picture. */
  alt: textOrEmpty,
  /** A short tag on the picture's corner. */
  badge: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "image",
  schema,
  validate: () => "pass",
});
