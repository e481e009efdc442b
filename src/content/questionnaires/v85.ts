/** Version 85: a talking guide. Her films open the sections, and she appears from the first question on. */
import { guided } from "./base/guide.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { replace } from "./story.ts";

export const v85 = defineVersion({
  id: "85",
  hypothesis: "A talking guide keeps people going",
  changes: "Films (avatar-video) open the sections, second proof animation, “Agree and continue”; no slides and voices",
  traits: { agreeAndContinue: true, avatarVariant: true },
  questionnaire: (t, version) =>
    longVersion(t, version, {
      story: replace(guided(t, story(t, version), "avatar-video"), 2, (screen) => ({
        ...screen,
        contents: [{ type: "avatar-image", image: "guide", fullscreen: false, text: t("guide.welcome") }, ...screen.contents],
      })),
    }),
});
