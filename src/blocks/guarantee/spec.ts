import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("guarantee"),
  requirements: v.optional(ruleGroupSchema),
  title: textSchema,
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "guarantee", schema, validate: () => "pass" });
