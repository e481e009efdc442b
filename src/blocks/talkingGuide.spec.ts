/** Shared by `avatar` and `avatar-video`, which the specification defines as two blocks with the same behavior. */
import { filmName } from "#core/marks.ts";
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { subtitlesSchema } from "#core/subtitles.ts";
import * as v from "valibot";
import type { BlockInput, BlockStatus } from "./block.ts";

export const talkingGuide = v.strictObject({
  requirements: v.optional(ruleGroupSchema),
  fullscreen: v.optional(v.boolean(), true),
  /** The picture of the same name shows until the clip plays. */
  video: filmName,
  /** Shows only the subtitles. */
  hidden: v.optional(v.boolean(), false),
  /** Milliseconds until the action buttons appear; the default is the end of the last subtitle. */
  timer: v.optional(v.pipe(v.number(), v.minValue(0))),
  subtitles: subtitlesSchema,
});
export type TalkingGuideContent = v.InferOutput<typeof talkingGuide>;

/** Blocks until its timer is over, unless not fullscreen (spec 001 §4). */
export function validateTalkingGuide({ fullscreen }: TalkingGuideContent, { done }: BlockInput): BlockStatus {
  return fullscreen && !done ? "block" : "pass";
}

export const talkingGuideTexts = ["block.avatar.subtitles"];
