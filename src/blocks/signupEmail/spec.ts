import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import { fieldError } from "#core/validation.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The e-mail field. */
const schema = v.strictObject({
  type: v.literal("signupEmail"),
  requirements: v.optional(ruleGroupSchema),
  label: textSchema,
  placeholder: v.optional(textSchema),
  hint: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "signupEmail",
  schema,
  validate: (_content, { fields }) => (fieldError("email", fields.email) === null ? "pass" : "fail"),
  uiTexts: ["block.signupEmail.suggestion", "block.signupEmail.keep"],
});
