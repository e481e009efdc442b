import { pictureName } from "#core/marks.ts";
import { locales } from "#core/locales.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("testimonial"),
  requirements: v.optional(ruleGroupSchema),
  text: textSchema,
  name: v.string(),
  /** The country's name in the page's language. */
  country: textSchema,
  /** Name of a picture; the default is the person's first letter. */
  image: v.optional(pictureName),
  /** Language of the quote, if it is not the page's. */
  locale: v.optional(v.picklist(locales)),
  /** An invented example, marked as such (decision 136). */
  example: v.optional(v.boolean()),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({ type: "testimonial", schema, validate: () => "pass", uiTexts: ["block.example"] });
