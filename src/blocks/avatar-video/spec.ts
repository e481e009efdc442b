import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { subtitlesSchema } from "#core/subtitles.ts";
import * as v from "valibot";
import { blockSpec } from "../block.ts";

const schema = v.strictObject({
  type: v.literal("avatar-video"),
  requirements: v.optional(ruleGroupSchema),
  fullscreen: v.optional(v.boolean(), true),
  /** The clip's name below /media/, without locale; the picture of the same name stands there until (or unless) it plays. */
  video: v.strictObject({ filename: v.string(), extension: v.picklist(["webm", "mp4"]) }),
  /** Nothing to see: only the subtitles show. */
  hidden: v.optional(v.boolean(), false),
  /** Milliseconds until the action buttons appear; without it, the end of the last subtitle. */
  timer: v.optional(v.pipe(v.number(), v.minValue(0))),
  subtitles: subtitlesSchema,
});
export type Content = v.InferOutput<typeof schema>;

export const spec = blockSpec({
  type: "avatar-video",
  schema,
  /** Blocks until its timer is over, unless not fullscreen (spec 001 §4). */
  validate: ({ fullscreen }, { done }) => (fullscreen && !done ? "block" : "pass"),
  uiTexts: ["block.avatar-video.subtitles"],
});
