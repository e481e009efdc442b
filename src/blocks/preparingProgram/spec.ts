import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Steps of a bar, so that it shows whole percents (spec 001 §4). */
export const barTicks = 100;
/** Milliseconds between the end of the last bar and going on (spec 001 §4). */
export const finalWait = 1500;

const schema = v.strictObject({
  type: v.literal("preparingProgram"),
  requirements: v.optional(ruleGroupSchema),
  items: v.pipe(
    v.array(
      v.strictObject({
        label: textSchema,
        /** Milliseconds that the item's bar takes from 0 to 100. */
        duration: v.pipe(v.number(), v.minValue(1)),
        /** Titles shown while the bar fills, each for an equal share (spec 001 §9). */
        titles: v.pipe(v.array(textSchema), v.minLength(1)),
        /** Design tokens, not colors. */
        barColor: v.optional(v.picklist(["primary", "accent", "success"]), "primary"),
        textColor: v.optional(v.picklist(["text", "quiet", "primary", "success"]), "text"),
      }),
    ),
    v.minLength(1),
  ),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "preparingProgram",
  schema,
  submits: true,
  /** Goes on by itself, so there is never a button (spec 001 §4). */
  validate: () => "block",
  pictures: () => ["guide"],
});
