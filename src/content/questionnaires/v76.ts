/** Version 76: the long conversation for Latin America. The complete base story. */
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion } from "./define.ts";
import { insertAfter } from "./story.ts";

export const v76 = defineVersion({
  id: "76",
  hypothesis: "The long conversation fits Latin America",
  changes: "The base story in the theme HablaIngles, with a screen for whoever starts from zero",
  traits: { theme: "HablaIngles" },
  defaultIn: ["en-US", "es-419"],
  questionnaire: (t, version) =>
    longVersion(t, version, {
      // Tells beginners how many words the two languages share.
      story: insertAfter(story(t, version), 14, {
        id: 15,
        eyebrow: { text: t("cognates.eyebrow"), icon: "sparkles" },
        contents: [
          { type: "title", text: t("cognates.title") },
          { type: "bubble", text: t("cognates.words"), lang: "en" },
          { type: "paragraph", text: t("cognates.text") },
        ],
        options: [{ id: 1, description: t("cognates.go") }],
      }),
    }),
});
