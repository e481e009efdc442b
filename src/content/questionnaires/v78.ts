/** Version 78: Brazil pays in instalments. One-time prices and subscriptions side by side; asks how one likes to pay. */
import type { BlockContentInput } from "#blocks/specs.ts";
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { oneTime, subscriptions } from "./base/offer.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { insertAfter, lacking, replace, type Say } from "./story.ts";

export const v78 = (t: Say): QuestionnaireInput => {
  const ways = [
    { id: 1, description: t("pay.instalments"), detail: t("pay.instalments.detail"), icon: "credit-card", text: t("pay.instalments.text") },
    { id: 2, description: t("pay.once"), detail: t("pay.once.detail"), icon: "badge-check", text: t("pay.once.text") },
    { id: 3, description: t("pay.monthly"), detail: t("pay.monthly.detail"), icon: "repeat", text: t("pay.monthly.text") },
  ];
  const asked = insertAfter(story(t, "78"), 74, {
    id: 75,
    eyebrow: { text: t("plan.eyebrow"), icon: "target" },
    contents: [
      { type: "title", text: t("pay.title") },
      { type: "description", text: t("pay.text") },
    ],
    options: ways.map((way) => lacking(way, "text")),
  });
  return longVersion(t, "78", {
    productConfigurations: [
      oneTime(t, "6M", t("once.instalments")),
      oneTime(t, "12M", t("once.instalments")),
      ...subscriptions(t).filter(({ productPlan }) => productPlan !== "12M"),
    ],
    story: replace(asked, 80, (screen) => ({
      ...screen,
      footnote: t("pay.footnote"),
      contents: screen.contents.flatMap((content): BlockContentInput[] =>
        content.type === "description"
          ? ways.map(({ id, text }) => ({ ...content, requirements: { rules: [{ questionId: 75, optionId: id }] }, text }))
          : [content],
      ),
    })),
  });
};
