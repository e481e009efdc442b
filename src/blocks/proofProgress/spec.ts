import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Milliseconds before the counter starts (spec 001 §4). */
export const counterDelay = 2000;
/** The counter's last number (spec 001 §9). */
export const counterEnd = 100;
/** Milliseconds from one number to the next. */
export const counterInterval = 30;

const schema = v.strictObject({
  type: v.literal("proofProgress"),
  requirements: v.optional(ruleGroupSchema),
  label: textSchema,
  /** Text shown once the counter has reached its end. */
  text: v.optional(textSchema),
  proofProgressOptions: v.optional(v.strictObject({ animation: v.optional(v.boolean(), true) }), {}),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "proofProgress",
  schema,
  /** Blocks until the counter reaches 100, if it is animated (spec 001 §4). */
  validate: (content, { done }) => (content.proofProgressOptions.animation && !done ? "block" : "pass"),
});
