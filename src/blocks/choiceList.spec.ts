/** Shared by the three blocks that fill a list in the state. Each block's type is the name of its list. */
import { iconName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import type { ListField } from "#core/questionnaire/state.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import type { BlockInput, BlockStatus } from "./block.ts";

export const choiceList = v.strictObject({
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(v.array(v.strictObject({ id: v.string(), text: textSchema, icon: v.optional(iconName) })), v.minLength(1)),
  /** Replaces the hint "choose at least one". */
  hint: v.optional(textSchema),
});
export type ChoiceListContent = { readonly type: ListField } & v.InferOutput<typeof choiceList>;

export function chosenOf({ type, items }: ChoiceListContent, state: BlockInput["state"]): readonly string[] {
  return items.map(({ id }) => id).filter((id) => state[type].includes(id));
}

/** Fails until at least one item is chosen (spec 001 §4). */
export function validateChoiceList(content: ChoiceListContent, { state }: BlockInput): BlockStatus {
  return chosenOf(content, state).length > 0 ? "pass" : "fail";
}

export const choiceListTexts = ["block.choiceList.hint", "block.choiceList.chosen"];
