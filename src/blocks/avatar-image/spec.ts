import { pictureName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { textSchema } from "#core/textSchema.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

/** Milliseconds that the guide is alone on the screen. */
export const defaultTimer = 2000;

const schema = v.strictObject({
  type: v.literal("avatar-image"),
  requirements: v.optional(ruleGroupSchema),
  image: pictureName,
  fullscreen: v.optional(v.boolean(), true),
  /** Milliseconds until the action buttons appear. */
  timer: v.optional(v.pipe(v.number(), v.minValue(0)), defaultTimer),
  text: v.optional(textSchema),
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "avatar-image",
  schema,
  /** Blocks until its timer is over, unless not fullscreen (spec 001 §4). */
  validate: ({ fullscreen }, { done }) => (fullscreen && !done ? "block" : "pass"),
  largePictures: ({ fullscreen }) => fullscreen,
});
