/** Version 76: the long conversation for Latin America (design/funnel.md). The base story, told to the end. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { story } from "./base/story.ts";
import { userLevelMappings } from "./base/level.ts";
import { checkoutQuestion, subscriptions } from "./base/offer.ts";
import { schedules } from "./base/plan.ts";
import { insertAfter, questionsOf, type Say } from "./story.ts";

export const v76 = (t: Say): QuestionnaireInput => ({
  id: "76",
  version: 1,
  theme: "HablaIngles",
  initialQuestion: 2,
  shortcutQuestion: 60,
  progress: { type: "weight", end: checkoutQuestion },
  userLevelAlgorithm: "LevelQuestion",
  userLevelMappings: [...userLevelMappings],
  schedules: schedules(t),
  productConfigurations: subscriptions(t),
  questions: questionsOf(
    // Whoever starts from zero is told first how many words the two languages share.
    insertAfter(story(t), 14, {
      id: 15,
      eyebrow: { text: t("cognates.eyebrow"), icon: "sparkles" },
      contents: [
        { type: "title", text: t("cognates.title") },
        { type: "bubble", text: t("cognates.words"), lang: "en" },
        { type: "paragraph", text: t("cognates.text") },
      ],
      options: [{ id: 1, description: t("cognates.go") }],
    }),
  ),
});
