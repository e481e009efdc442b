import { pictureName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** A speech bubble of ours or of the other speaker in a conversation. */
const schema = v.strictObject({
  type: v.literal("bubble"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
  /** Position of the tight corner: bottom left when we speak, bottom right when the other side answers. */
  side: v.optional(v.picklist(["we", "other"]), "we"),
  /** `large` for the sentence of a level question. */
  size: v.optional(v.literal("large")),
  /** Language of the text, if it is not the page's: `en`. */
  lang: v.optional(v.string()),
  /** Name of the speaker's picture. */
  figure: v.optional(pictureName),
  /** Position among all the sentences: number `at` out of `of`. */
  count: v.optional(v.strictObject({ at: v.pipe(v.number(), v.integer()), of: v.pipe(v.number(), v.integer()) })),
  /** A line in smaller type beside the figure. */
  hint: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "bubble",
  schema,
  validate: () => "pass",
  uiTexts: ["block.bubble.count", "block.bubble.listen"],
});
