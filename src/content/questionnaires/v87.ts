/** Version 87: the guide, shorter. The short story with her films; plans by the week as well. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { guided } from "./base/guide.ts";
import { subscriptions, weekly } from "./base/offer.ts";
import { shortStory } from "./base/story.ts";
import { shortVersion } from "./base/version.ts";
import { replace, type Say, without } from "./story.ts";

export const v87 = (t: Say): QuestionnaireInput =>
  shortVersion(t, "87", {
    productConfigurations: [weekly(t), ...subscriptions(t).filter(({ productPlan }) => productPlan !== "12M")],
    story: replace(without(guided(t, shortStory(t, "87"), "avatar"), 30, 64), 2, (screen) => ({
      ...screen,
      contents: [...screen.contents, { type: "startHereImage", image: "guide", text: t("guide.start") }],
    })),
  });
