import { pictureName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("startHereImage"),
  requirements: v.optional(ruleGroupSchema),
  image: pictureName,
  /** Said by the figure, above the options. */
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "startHereImage", schema, validate: () => "pass" });
