/** Questions 30–39: when, how and how seriously the visitor wants to practice. */
import type { Say, Screen } from "../story.ts";

export const habit = (t: Say): Screen[] => [
  {
    id: 30,
    eyebrow: { text: t("habit.eyebrow"), icon: "sun" },
    contents: [{ type: "title", text: t("hour.title") }],
    options: [
      { id: 1, description: t("hour.morning"), icon: "sunrise" },
      { id: 2, description: t("hour.noon"), icon: "sun" },
      { id: 3, description: t("hour.evening"), icon: "moon" },
      { id: 4, description: t("hour.varies"), icon: "shuffle" },
    ],
    next: 33,
  },
  {
    id: 33,
    eyebrow: { text: t("lesson.eyebrow"), icon: "sparkles" },
    contents: [{ type: "title", text: t("correction.title") }],
    options: [
      { id: 1, description: t("correction.now"), icon: "zap" },
      { id: 2, description: t("correction.later"), icon: "list-checks" },
      {
        id: 3,
        description: t("correction.little"),
        icon: "feather",
        reward: { title: t("correction.little.reward.title"), text: t("correction.little.reward.text"), figure: "guide" },
      },
    ],
    next: 37,
  },
  {
    id: 37,
    contents: [
      { type: "title", text: t("serious.title") },
      { type: "description", text: t("serious.text") },
    ],
    options: [
      { id: 1, description: t("serious.all"), icon: "rocket" },
      { id: 2, description: t("serious.calm"), icon: "footprints" },
      { id: 3, description: t("serious.curious"), icon: "eye" },
      { id: 4, type: "ToHomePage", description: t("serious.later"), buttonStyle: "link" },
    ],
    next: 39,
  },
  {
    id: 39,
    contents: [
      { type: "title", text: t("profile.title") },
      { type: "proofProgress", label: t("profile.label"), text: t("profile.text") },
    ],
    options: [{ id: 1, description: t("profile.go") }],
    next: 40,
  },
];
