import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/text.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Something said: by us, or by the other side of a conversation. */
const schema = v.strictObject({
  type: v.literal("bubble"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
  /** Where the tight corner is: bottom left we speak, bottom right the other answers. */
  side: v.optional(v.picklist(["we", "other"]), "we"),
  /** The sentence of a level question. */
  size: v.optional(v.literal("large")),
  /** The language of the text, where it is not the page's: `en`. */
  lang: v.optional(v.string()),
  /** Name of the picture of whoever speaks. */
  figure: v.optional(v.string()),
  /** Which of how many sentences it is. */
  count: v.optional(v.strictObject({ at: v.pipe(v.number(), v.integer()), of: v.pipe(v.number(), v.integer()) })),
  /** A quiet line beside the figure. */
  hint: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "bubble",
  schema,
  validate: () => "pass",
  uiTexts: ["block.bubble.count", "block.bubble.listen"],
});
