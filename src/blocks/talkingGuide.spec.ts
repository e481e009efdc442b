/** What `avatar` and `avatar-video` have in common: the specification names two blocks for one thing. */
import { ruleGroupSchema } from "#core/questionnaire/definition.ts";
import { subtitlesSchema } from "#core/subtitles.ts";
import * as v from "valibot";
import type { BlockInput, BlockStatus } from "./block.ts";

export const talkingGuide = v.strictObject({
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
export type TalkingGuideContent = v.InferOutput<typeof talkingGuide>;

/** Blocks until its timer is over, unless not fullscreen (spec 001 §4). */
export function validateTalkingGuide({ fullscreen }: TalkingGuideContent, { done }: BlockInput): BlockStatus {
  return fullscreen && !done ? "block" : "pass";
}

export const talkingGuideTexts = ["block.avatar.subtitles"];
