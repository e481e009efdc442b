import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import { fieldError } from "#core/validation.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** The password field, with the consent that sign-up requires. */
const schema = v.strictObject({
  type: v.literal("signupPassword"),
  requirements: v.optional(ruleGroupSchema),
  label: textSchema,
  hint: v.optional(textSchema),
  /** Replaces the general sentence about terms and privacy; the links to both follow it. */
  consent: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "signupPassword",
  schema,
  validate: (_content, { fields }) => (fieldError("password", fields.password) === null ? "pass" : "fail"),
  uiTexts: [
    "block.signupPassword.show",
    "block.signupPassword.hide",
    "block.signupPassword.consent",
    "block.signupPassword.terms",
    "block.signupPassword.privacy",
  ],
});
