/** Version 88: the guide in the dark theme Kosmo, where questions change without a fade. */
import { guided } from "./base/guide.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";

export const v88 = defineVersion({
  id: "88",
  hypothesis: "A guide is believed more in the dark",
  changes: "Her films (avatar) in the theme Kosmo, without fades",
  traits: { theme: "Kosmo", avatarVariant: true },
  questionnaire: (t, version) => longVersion(t, version, { story: guided(t, story(t, version), "avatar") }),
});
