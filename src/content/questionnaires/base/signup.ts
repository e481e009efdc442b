/** Questions 67–72: e-mail, password, name, and in some versions consent to news by e-mail. */
import type { Say, Screen } from "../story.ts";
import type { StoryVersion } from "../define.ts";

export function signup(t: Say, version: StoryVersion): Screen[] {
  const { agreeAndContinue, asksMarketingConsent } = version.traits;
  return [
    {
      id: 67,
      type: "SignupView",
      contents: [
        { type: "title", text: t("email.title") },
        { type: "signupEmail", label: t("email.label"), placeholder: t("email.placeholder"), hint: t("email.hint") },
      ],
      options: [{ id: 1, description: t("go.continue") }],
      next: 68,
    },
    {
      id: 68,
      type: "SignupView",
      contents: [
        { type: "title", text: t("password.title") },
        {
          type: "signupPassword",
          label: t("password.label"),
          hint: t("password.hint"),
          ...(agreeAndContinue && { consent: t("password.consent") }),
        },
      ],
      options: [{ id: 1, description: t(agreeAndContinue ? "password.agree" : "password.go") }],
      next: 69,
    },
    {
      id: 69,
      type: "SignupView",
      contents: [
        { type: "title", text: t("name.title") },
        { type: "signupName", label: t("name.label"), hint: t("name.hint") },
      ],
      options: [{ id: 1, description: t("name.go") }],
      ...(asksMarketingConsent && {
        followUps: [{ requirements: { rules: [{ requiresMarketingConsent: "on" as const }] }, followUpQuestion: 70 }],
      }),
      next: 73,
    },
    ...(asksMarketingConsent ? [news(t)] : []),
  ];
}

const news = (t: Say): Screen => ({
  id: 70,
  type: "SignupView",
  contents: [
    { type: "title", text: t("news.title") },
    { type: "signupMarketingConsent", text: t("news.text") },
  ],
  options: [
    { id: 1, type: "Yes", description: t("news.yes"), icon: "mail" },
    { id: 2, type: "No", description: t("news.no"), icon: "bell" },
  ],
  next: 73,
});
