/** Version 73: a short quiz is enough on the home page. The unchanged short story; embedded for English, Latin America and Brazil. */
import { shortStory } from "./base/story.ts";
import { shortVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";

export const v73 = defineVersion({
  id: "73",
  hypothesis: "A short quiz is enough on the home page",
  changes: "The short story: the level is asked outright (InitialLevel)",
  embeddedIn: ["en-US", "es-419", "pt-BR"],
  questionnaire: (t, version) => shortVersion(t, version, { story: shortStory(t, version) }),
});
