/** Version 82: consent worded as the GDPR intends. Says what is stored and why, then "Agree and continue" under its own consent text. */
import { story } from "./base/story.ts";
import { longVersion } from "./base/version.ts";
import { defineVersion, usualSale } from "./define.ts";
import { insertAfter, replace } from "./story.ts";

export const v82 = defineVersion({
  id: "82",
  hypothesis: "Consent worded as the GDPR means it costs no sign-ups",
  changes: "What is kept and what for, then “Agree and continue” under a consent of its own",
  traits: { agreeAndContinue: true },
  // It predates Paddle Billing's inline checkout (84's hypothesis), so Paddle Classic sells it.
  sold: { ...usualSale, provider: "paddle" },
  questionnaire: (t, version) => {
    const edited = insertAfter(story(t, version), 64, {
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
    return longVersion(t, version, {
      story: replace(edited, 68, (screen) => ({
        ...screen,
        contents: screen.contents.map((content) =>
          content.type === "signupPassword" ? { ...content, consent: t("password.consent.data") } : content,
        ),
      })),
    });
  },
});
