/** Version 90: the guide, and one-time prices only, each with its price per week. */
import type { BlockContentInput } from "#blocks/specs.ts";
import { guided } from "./base/guide.ts";
import { oneTime } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { replace } from "./story.ts";

export const v90 = defineVersion({
  id: "90",
  hypothesis: "One price paid once is easier to say yes to",
  changes: "Her films (avatar); one-time prices only, with what they come to a week",
  traits: { avatarVariant: true },
  sold: { products: ["onetime-3M", "onetime-6M", "onetime-12M"] },
  questionnaire: (t, version) => {
    const priced = replace(guided(t, story(t, version), "avatar"), 80, (screen) => ({
      ...screen,
      contents: screen.contents.map((content): BlockContentInput => {
        if (content.type === "description") return { ...content, text: t("once.text") };
        // Nothing renews, so the question on how to cancel is removed.
        if (content.type === "questions")
          return { ...content, items: [{ question: t("doubt.renew"), answer: t("doubt.renew.detail") }, ...content.items.slice(1)] };
        return content;
      }),
    }));
    return longVersion(t, version, {
      productConfigurations: [
        { ...oneTime(t, "3M", t("once.perWeek")), tag: t("plan3.tag") },
        oneTime(t, "6M", t("once.perWeek")),
        oneTime(t, "12M", t("once.perWeek")),
      ],
      story: priced,
    });
  },
});
