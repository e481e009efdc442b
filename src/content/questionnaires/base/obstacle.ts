/** Questions 20–29: what holds the visitor back, and what would help. */
import type { RuleGroup } from "#core/questionnaire/definition.ts";
import type { Text } from "#core/text.ts";
import type { Say, Screen } from "../story.ts";
import { example, voicesNote } from "./voices.ts";

/** Options of question 20. */
const shame = 1;
const words = 2;
const pronunciation = 3;
const company = 4;
const time = 5;

/** The reply to visitors with this obstacle. */
function answerTo(obstacle: number, image: string, title: Text, text: Text): Screen["contents"] {
  const requirements: RuleGroup = { rules: [{ questionId: 20, optionId: obstacle }] };
  return [
    { type: "image", requirements, image, alt: "" },
    { type: "title", requirements, text: title },
    { type: "paragraph", requirements, text },
  ];
}

export const obstacle = (t: Say): Screen[] => [
  {
    id: 20,
    eyebrow: { text: t("history.eyebrow"), icon: "message-circle" },
    contents: [{ type: "title", text: t("obstacle.title") }],
    options: [
      { id: shame, description: t("obstacle.shame"), icon: "message-circle-x", followUpQuestion: 21 },
      {
        id: words,
        description: t("obstacle.words"),
        icon: "ear",
        followUpQuestion: 22,
        reward: { title: t("obstacle.words.reward.title"), text: t("obstacle.words.reward.text"), figure: "guide" },
      },
      {
        id: pronunciation,
        description: t("obstacle.pronunciation"),
        detail: t("obstacle.pronunciation.detail"),
        icon: "mic",
        followUpQuestion: 23,
      },
      { id: company, description: t("obstacle.company"), icon: "users", followUpQuestion: 24 },
      { id: time, description: t("obstacle.time"), icon: "clock", followUpQuestion: 25 },
    ],
  },
  {
    id: 21,
    eyebrow: { text: t("obstacle.shame"), icon: "message-circle-x" },
    contents: [{ type: "title", text: t("shame.title") }],
    options: [
      { id: 1, description: t("shame.work"), icon: "briefcase" },
      { id: 2, description: t("shame.strangers"), icon: "map-pin" },
      { id: 3, description: t("shame.friends"), icon: "users" },
      { id: 4, description: t("shame.everyone"), icon: "globe" },
    ],
    next: 26,
  },
  {
    id: 22,
    eyebrow: { text: t("obstacle.words"), icon: "ear" },
    contents: [{ type: "title", text: t("words.title") }],
    options: [
      { id: 1, description: t("words.start"), icon: "play" },
      { id: 2, description: t("words.middle"), icon: "puzzle" },
      { id: 3, description: t("words.past"), icon: "history", detail: t("words.past.detail") },
      { id: 4, description: t("words.fast"), icon: "gauge" },
    ],
    next: 26,
  },
  {
    id: 23,
    eyebrow: { text: t("obstacle.pronunciation"), icon: "mic" },
    contents: [{ type: "title", text: t("sound.title") }],
    options: [
      { id: 1, description: t("sound.th") },
      { id: 2, description: t("sound.consonants") },
      { id: 3, description: t("sound.vowels") },
      { id: 4, description: t("sound.rhythm") },
      { id: 5, description: t("sound.all") },
    ],
    next: 26,
  },
  {
    id: 24,
    eyebrow: { text: t("obstacle.company"), icon: "users" },
    contents: [{ type: "title", text: t("company.title") }],
    options: [
      { id: 1, description: t("company.alone"), icon: "smartphone", detail: t("company.alone.detail") },
      { id: 2, description: t("company.teacher"), icon: "user-round" },
      { id: 3, description: t("company.group"), icon: "users" },
      { id: 4, description: t("company.mix"), icon: "shuffle" },
    ],
    next: 26,
  },
  {
    id: 25,
    eyebrow: { text: t("obstacle.time"), icon: "clock" },
    contents: [{ type: "title", text: t("time.title") }],
    options: [
      { id: 1, description: t("time.coffee"), icon: "coffee" },
      { id: 2, description: t("time.commute"), icon: "bus" },
      { id: 3, description: t("time.lunch"), icon: "utensils" },
      { id: 4, description: t("time.sofa"), icon: "sofa" },
    ],
    next: 26,
  },
  {
    id: 26,
    eyebrow: { text: t("situation.eyebrow"), icon: "map" },
    contents: [
      { type: "bubble", text: "Excuse me, how do I get to the station?", lang: "en" },
      { type: "title", text: t("situation.title") },
    ],
    options: [
      { id: 1, description: t("situation.point"), icon: "hand" },
      { id: 2, description: t("situation.sorry"), icon: "message-circle-off" },
      {
        id: 3,
        description: t("situation.try"),
        icon: "message-circle-dashed",
        reward: { title: t("situation.try.reward.title"), text: t("situation.try.reward.text"), figure: "guide" },
      },
      { id: 4, description: t("situation.explain"), icon: "message-circle" },
    ],
    next: 27,
  },
  {
    id: 27,
    eyebrow: { text: t("lesson.eyebrow"), icon: "sparkles" },
    contents: [
      { type: "title", text: t("lesson.title") },
      {
        type: "slideshow",
        slideshowOptions: {
          items: [
            { image: "phone", text: t("lesson.slide1") },
            { image: "wave", text: t("lesson.slide2") },
            { image: "travel", text: t("lesson.slide3") },
          ],
        },
      },
    ],
    options: [{ id: 1, description: t("go.continue") }],
    next: 28,
  },
  {
    id: 28,
    contents: [
      ...answerTo(shame, "dog", t("answer.shame.title"), t("answer.shame.text")),
      ...answerTo(words, "explain", t("answer.words.title"), t("answer.words.text")),
      ...answerTo(pronunciation, "point", t("answer.pronunciation.title"), t("answer.pronunciation.text")),
      ...answerTo(company, "crowd", t("answer.company.title"), t("answer.company.text")),
      ...answerTo(time, "coffee", t("answer.time.title"), t("answer.time.text")),
    ],
    options: [{ id: 1, description: t("answer.go") }],
    next: 29,
  },
  {
    id: 29,
    contents: [
      { type: "title", text: t("voices.title") },
      { type: "testimonial", text: t("voices.one"), name: "Marina", country: t("voices.one.country"), image: "testimonial-1", example },
      { type: "testimonial", text: t("voices.two"), name: "Daniel", country: t("voices.two.country"), image: "testimonial-2", example },
      ...voicesNote(t),
    ],
    options: [{ id: 1, description: t("go.continue") }],
    next: 30,
  },
];
