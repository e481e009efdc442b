import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/text.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("skillsToImprove"),
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(v.array(v.strictObject({ id: v.string(), text: textSchema, icon: v.optional(v.string()) })), v.minLength(1)),
  /** Replaces "choose at least one". */
  hint: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "skillsToImprove",
  schema,
  /** Fails until at least one item is chosen (spec 001 §4). */
  validate: ({ items }, { state }) => (items.some(({ id }) => state.skillsToImprove.includes(id)) ? "pass" : "fail"),
  uiTexts: ["block.skillsToImprove.hint", "block.skillsToImprove.chosen"],
});
