/** Version 90: the guide, and one price paid once. What it comes to a week stands beside it. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { guided } from "./base/guide.ts";
import { oneTime } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { replace, type Say } from "./story.ts";

export const v90 = (t: Say): QuestionnaireInput => {
  const priced = replace(guided(t, story(t, "90"), "avatar"), 80, (screen) => ({
    ...screen,
    contents: screen.contents.map((content) => (content.type === "description" ? { ...content, text: t("once.text") } : content)),
  }));
  return longVersion(t, "90", {
    productConfigurations: [
      { ...oneTime(t, "3M", t("once.perWeek")), tag: t("plan3.tag") },
      oneTime(t, "6M", t("once.perWeek")),
      oneTime(t, "12M", t("once.perWeek")),
    ],
    // Nothing renews, so nobody has to know how to stop it.
    story: replace(priced, 81, (screen) => ({
      ...screen,
      contents: screen.contents.map((content) =>
        content.type === "list"
          ? {
              ...content,
              items: [{ text: t("doubt.renew"), detail: t("doubt.renew.detail"), icon: "rotate-ccw" }, ...content.items.slice(1)],
            }
          : content,
      ),
    })),
  });
};
