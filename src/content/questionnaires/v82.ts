/** Version 82: consent worded as the GDPR means it. What is kept and what for, then "Agree and continue" under a consent of its own. */
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { insertAfter, replace, type Say } from "./story.ts";

export const v82 = (t: Say): QuestionnaireInput => {
  const told = insertAfter(story(t, "82"), 64, {
    id: 65,
    eyebrow: { text: t("data.eyebrow"), icon: "lock" },
    contents: [
      { type: "title", text: t("data.title") },
      {
        type: "list",
        items: [
          { text: t("data.answers"), detail: t("data.answers.detail"), icon: "list-checks" },
          { text: t("data.email"), detail: t("data.email.detail"), icon: "mail" },
          { text: t("data.others"), detail: t("data.others.detail"), icon: "shield-check" },
          { text: t("data.delete"), detail: t("data.delete.detail"), icon: "rotate-ccw" },
        ],
      },
    ],
    options: [{ id: 1, description: t("data.go") }],
  });
  return longVersion(t, "82", {
    story: replace(told, 68, (screen) => ({
      ...screen,
      contents: screen.contents.map((content) =>
        content.type === "signupPassword" ? { ...content, consent: t("password.consent.data") } : content,
      ),
    })),
  });
};
