/** Questions 11–14: the visitor's experience with English so far. */
import type { Say, Screen } from "../story.ts";

export const history = (t: Say): Screen[] => [
  {
    id: 11,
    eyebrow: { text: t("history.eyebrow"), icon: "message-circle" },
    contents: [{ type: "title", text: t("history.title") }],
    options: [
      { id: 1, description: t("history.zero"), icon: "sprout", followUpQuestion: 14 },
      { id: 2, description: t("history.school"), icon: "school" },
      {
        id: 3,
        description: t("history.courses"),
        icon: "repeat",
        reward: { title: t("history.courses.reward.title"), text: t("history.courses.reward.text"), figure: "guide" },
      },
      { id: 4, description: t("history.alone"), icon: "smartphone", detail: t("history.alone.detail") },
      { id: 5, description: t("history.used"), icon: "messages-square", followUpQuestion: 20 },
    ],
    next: 12,
  },
  {
    id: 12,
    eyebrow: { text: t("history.eyebrow"), icon: "message-circle" },
    contents: [{ type: "title", text: t("missing.title") }],
    options: [
      { id: 1, description: t("missing.speaking"), icon: "mic" },
      { id: 2, description: t("missing.rhythm"), icon: "calendar-x" },
      { id: 3, description: t("missing.topics"), icon: "book-x" },
      { id: 4, description: t("missing.group"), icon: "users" },
      { id: 5, description: t("missing.else"), icon: "ellipsis" },
    ],
    next: 13,
  },
  {
    id: 13,
    eyebrow: { text: t("change.eyebrow"), icon: "sparkles" },
    contents: [
      { type: "title", text: t("change.title") },
      {
        type: "table",
        columns: [
          { type: "text", content: "", width: 50 },
          { type: "text", content: t("change.before"), align: "center", small: true },
          { type: "title", content: t("change.here"), align: "center", small: true },
        ],
        rows: [t("change.row1"), t("change.row2"), t("change.row3"), t("change.row4")].map((content) => [
          { type: "text" as const, content },
          { type: "negative-icon" as const },
          { type: "positive-icon" as const },
        ]),
      },
    ],
    options: [{ id: 1, description: t("go.continue") }],
    next: 20,
  },
  {
    id: 14,
    eyebrow: { text: t("history.eyebrow"), icon: "message-circle" },
    contents: [
      { type: "image", image: "wave", alt: t("zero.alt") },
      { type: "title", text: t("zero.title") },
      { type: "paragraphs", items: [t("zero.text1"), t("zero.text2")] },
    ],
    options: [{ id: 1, description: t("zero.go") }],
    next: 20,
  },
];
