import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("appStoreButton"),
  requirements: v.optional(ruleGroupSchema),
  text: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "appStoreButton",
  schema,
  validate: () => "pass",
  uiTexts: ["block.appStoreButton.apple", "block.appStoreButton.android"],
});
