import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** What the visitor consents to: news by e-mail. The question's options are Yes and No (spec 001 §4). */
const schema = v.strictObject({
  type: v.literal("signupMarketingConsent"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "signupMarketingConsent",
  schema,
  validate: () => "pass",
  uiTexts: ["block.signupMarketingConsent.change"],
});
