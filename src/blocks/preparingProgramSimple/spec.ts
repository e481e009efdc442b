import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Milliseconds until it goes on (spec 001 §4). */
export const preparingTime = 2500;

const schema = v.strictObject({ type: v.literal("preparingProgramSimple"), requirements: v.optional(ruleGroupSchema), text: textSchema });
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "preparingProgramSimple",
  schema,
  submits: true,
  /** Goes on by itself, so there is never a button (spec 001 §4). */
  validate: () => "block",
});
