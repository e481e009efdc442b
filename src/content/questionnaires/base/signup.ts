/** 67–72: e-mail, password, name. */
import type { Say, Screen } from "../story.ts";

export const signup = (t: Say): Screen[] => [
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
      { type: "signupPassword", label: t("password.label"), hint: t("password.hint") },
    ],
    options: [{ id: 1, description: t("password.go") }],
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
    next: 73,
  },
];
