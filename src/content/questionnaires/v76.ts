/** Version 76: the long conversation for Latin America. The base story, told to the end. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { insertAfter, type Say } from "./story.ts";

export const v76 = (t: Say): QuestionnaireInput =>
  longVersion(t, "76", {
    theme: "HablaIngles",
    // Whoever starts from zero is told first how many words the two languages share.
    story: insertAfter(story(t, "76"), 14, {
      id: 15,
      eyebrow: { text: t("cognates.eyebrow"), icon: "sparkles" },
      contents: [
        { type: "title", text: t("cognates.title") },
        { type: "bubble", text: t("cognates.words"), lang: "en" },
        { type: "paragraph", text: t("cognates.text") },
      ],
      options: [{ id: 1, description: t("cognates.go") }],
    }),
  });
