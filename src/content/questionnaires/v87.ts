/** Version 87: the guide in the short story, with her films and weekly plans. */
import { guided } from "./base/guide.ts";
import { subscriptions, weekly } from "./base/offer.ts";
import { shortStory } from "./base/story.ts";
import { shortVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { replace, without } from "./story.ts";

export const v87 = defineVersion({
  id: "87",
  hypothesis: "A guide carries a short quiz too",
  changes: "The short story with her films (avatar); plans by the week as well",
  traits: { avatarVariant: true },
  sold: { products: ["subscription-1W", "subscription-1M", "subscription-3M"] },
  questionnaire: (t, version) =>
    shortVersion(t, version, {
      productConfigurations: [weekly(t), ...subscriptions(t).filter(({ productPlan }) => productPlan !== "12M")],
      story: replace(without(guided(t, shortStory(t, version), "avatar"), 30, 64), 2, (screen) => ({
        ...screen,
        contents: [...screen.contents, { type: "startHereImage", image: "guide", text: t("guide.start") }],
      })),
    }),
});
