import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Shows the chosen days for confirmation. */
const schema = v.strictObject({
  type: v.literal("daySelectionConfirm"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "daySelectionConfirm",
  schema,
  validate: () => "pass",
  uiTexts: ["block.daySelectionConfirm.label"],
  needs: ["days"],
});
