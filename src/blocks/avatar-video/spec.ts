import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { talkingGuide, talkingGuideTexts, validateTalkingGuide } from "../talkingGuide.spec.ts";

export const spec = blockSpec({
  type: "avatar-video",
  schema: v.strictObject({ type: v.literal("avatar-video"), ...talkingGuide.entries }),
  validate: validateTalkingGuide,
  uiTexts: talkingGuideTexts,
  largePictures: ({ fullscreen }) => fullscreen,
});
