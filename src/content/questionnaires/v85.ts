/** Version 85: a talking guide. Her films open the sections; she is there from the first question on. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { guided } from "./base/guide.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { replace, type Say } from "./story.ts";

export const v85 = (t: Say): QuestionnaireInput =>
  longVersion(t, "85", {
    story: replace(guided(t, story(t, "85"), "avatar-video"), 2, (screen) => ({
      ...screen,
      contents: [{ type: "avatar-image", image: "guide", fullscreen: false, text: t("guide.welcome") }, ...screen.contents],
    })),
  });
