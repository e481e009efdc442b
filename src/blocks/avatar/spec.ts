import * as v from "valibot";
import { blockSpec } from "../block.ts";
import { talkingGuide, talkingGuideTexts, validateTalkingGuide } from "../talkingGuide.spec.ts";

export const spec = blockSpec({
  type: "avatar",
  schema: v.strictObject({ type: v.literal("avatar"), ...talkingGuide.entries }),
  validate: validateTalkingGuide,
  uiTexts: talkingGuideTexts,
  largePictures: ({ fullscreen }) => fullscreen,
});
