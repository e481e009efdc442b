import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import { fieldError } from "#core/validation.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The first-name field. */
const schema = v.strictObject({
  type: v.literal("signupName"),
  requirements: v.optional(ruleGroupSchema),
  label: textSchema,
  hint: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "signupName",
  schema,
  validate: (_content, { fields }) => (fieldError("firstname", fields.firstname) === null ? "pass" : "fail"),
});
