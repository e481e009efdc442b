/** Questions 2–9: why the visitor learns, age, and details by motive. */
import type { RuleGroup } from "#core/questionnaire/definition.ts";
import type { Say, Screen } from "../story.ts";

/** Options of question 2. */
const work = 1;
const travel = 2;
const study = 3;
const people = 4;
const abroad = 5;
const pleasure = 6;

/** Holds for visitors who chose one of these motives. */
function motiveIs(...motives: readonly number[]): RuleGroup {
  return { rules: motives.map((optionId) => ({ questionId: 2, optionId })) };
}

/** Holds for visitors who gave one of these answers to the question of details. */
function detailIs(questionId: number, ...details: readonly number[]): RuleGroup {
  return { rules: details.map((optionId) => ({ questionId, optionId })) };
}

/** The first conversation, by what the visitor wants English for. After a skipped question about details: that of its first answer. */
const sounds = [
  // Meetings, a remote job.
  { requirements: detailIs(4, 1, 5), ask: "So, what do you think of the plan?", answer: "I like it. Can we start on Monday?" },
  { requirements: detailIs(4, 2), ask: "Why would you like to work with us?", answer: "Because I love a challenge." },
  { requirements: detailIs(4, 3), ask: "Our order hasn’t arrived yet.", answer: "I’m sorry. Let me check right away." },
  { requirements: detailIs(4, 4), ask: "Did you get my message?", answer: "Yes! I’ll reply this afternoon." },
  // The border.
  { requirements: detailIs(5, 1), ask: "How long are you staying?", answer: "One week. I’m on vacation." },
  { requirements: detailIs(5, 2), ask: "Would you like a table inside or outside?", answer: "Outside, please. By the window." },
  { requirements: detailIs(5, 3), ask: "Are you looking for something?", answer: "Yes. How do I get to the museum?" },
  { requirements: detailIs(5, 4), ask: "What does your suitcase look like?", answer: "It’s small and blue." },
  { requirements: detailIs(5, 5), ask: "Is this your first time here?", answer: "Yes, and I love it already." },
  // An exam, a degree.
  { requirements: detailIs(6, 1, 2), ask: "Could you tell us why you chose this topic?", answer: "Sure. It started with a question." },
  { requirements: detailIs(6, 3), ask: "Did you read the article?", answer: "I did. The last part surprised me." },
  { requirements: detailIs(6, 4), ask: "Who would like to go first?", answer: "I would. I’ve practiced!" },
  // The partner, the partner’s family.
  { requirements: detailIs(7, 1, 2), ask: "We’ve heard so much about you!", answer: "Only good things, I hope." },
  { requirements: detailIs(7, 3), ask: "Will you read me a story?", answer: "Of course. Which one would you like?" },
  { requirements: detailIs(7, 4), ask: "What are you doing this weekend?", answer: "Nothing yet. Any ideas?" },
  // There already, or soon.
  { requirements: detailIs(8, 1, 2), ask: "Hi, are you the new neighbor?", answer: "Yes, we moved in yesterday." },
  { requirements: detailIs(8, 3), ask: "Did you bring your documents?", answer: "Yes, here they are." },
  { requirements: detailIs(8, 4), ask: "Would you ever move abroad?", answer: "One day. I’m getting ready." },
  { requirements: motiveIs(pleasure), ask: "Did you get that joke?", answer: "I did. Without subtitles!" },
].flatMap(({ requirements, ask, answer }) => [
  { type: "bubble" as const, requirements, text: ask, side: "we" as const, lang: "en" },
  { type: "bubble" as const, requirements, text: answer, side: "other" as const, lang: "en" },
]);

export const motive = (t: Say): Screen[] => [
  {
    id: 2,
    tiles: true,
    contents: [{ type: "title", text: t("motive.title") }],
    options: [
      { id: work, description: t("motive.work"), icon: "briefcase" },
      { id: travel, description: t("motive.travel"), icon: "plane" },
      { id: study, description: t("motive.study"), icon: "graduation-cap" },
      { id: people, description: t("motive.people"), icon: "heart" },
      { id: abroad, description: t("motive.abroad"), icon: "map-pin" },
      { id: pleasure, description: t("motive.pleasure"), icon: "music" },
    ],
    footnote: t("motive.footnote"),
    footer: true,
    next: 3,
  },
  {
    id: 3,
    contents: [
      { type: "title", text: t("age.title") },
      { type: "description", text: t("age.text") },
    ],
    options: [
      {
        id: 1,
        description: t("age.under18"),
        reward: { title: t("age.under18.reward.title"), text: t("age.under18.reward.text"), figure: "guide" },
      },
      { id: 2, description: t("age.18to24") },
      { id: 3, description: t("age.25to34") },
      { id: 4, description: t("age.35to44") },
      { id: 5, description: t("age.45to54") },
      { id: 6, description: t("age.55plus") },
    ],
    followUps: [
      { requirements: motiveIs(work), followUpQuestion: 4 },
      { requirements: motiveIs(travel), followUpQuestion: 5 },
      { requirements: motiveIs(study), followUpQuestion: 6 },
      { requirements: motiveIs(people), followUpQuestion: 7 },
      { requirements: motiveIs(abroad), followUpQuestion: 8 },
    ],
    // No details for visitors who learn for pleasure.
    next: 9,
  },
  {
    id: 4,
    eyebrow: { text: t("motive.work"), icon: "briefcase" },
    contents: [{ type: "title", text: t("work.title") }],
    options: [
      { id: 1, description: t("work.meetings"), icon: "presentation" },
      { id: 2, description: t("work.interview"), icon: "handshake" },
      { id: 3, description: t("work.customers"), icon: "headphones" },
      { id: 4, description: t("work.writing"), icon: "mail" },
      { id: 5, description: t("work.remote"), icon: "laptop", detail: t("work.remote.detail") },
    ],
    next: 9,
  },
  {
    id: 5,
    eyebrow: { text: t("motive.travel"), icon: "plane" },
    contents: [{ type: "title", text: t("travel.title") }],
    options: [
      { id: 1, description: t("travel.border"), icon: "stamp" },
      { id: 2, description: t("travel.food"), icon: "utensils" },
      { id: 3, description: t("travel.way"), icon: "signpost" },
      { id: 4, description: t("travel.trouble"), icon: "life-buoy", detail: t("travel.trouble.detail") },
      { id: 5, description: t("travel.people"), icon: "users" },
    ],
    next: 9,
  },
  {
    id: 6,
    eyebrow: { text: t("motive.study"), icon: "graduation-cap" },
    contents: [{ type: "title", text: t("study.title") }],
    options: [
      { id: 1, description: t("study.exam"), icon: "file-check", detail: t("study.exam.detail") },
      { id: 2, description: t("study.degree"), icon: "university" },
      { id: 3, description: t("study.reading"), icon: "book-open" },
      { id: 4, description: t("study.school"), icon: "notebook-pen" },
    ],
    next: 9,
  },
  {
    id: 7,
    eyebrow: { text: t("motive.people"), icon: "heart" },
    contents: [{ type: "title", text: t("people.title") }],
    options: [
      { id: 1, description: t("people.partner"), icon: "heart" },
      { id: 2, description: t("people.inlaws"), icon: "house" },
      { id: 3, description: t("people.children"), icon: "baby" },
      { id: 4, description: t("people.friends"), icon: "users" },
    ],
    next: 9,
  },
  {
    id: 8,
    eyebrow: { text: t("motive.abroad"), icon: "map-pin" },
    contents: [{ type: "title", text: t("abroad.title") }],
    options: [
      { id: 1, description: t("abroad.there"), icon: "house" },
      { id: 2, description: t("abroad.soon"), icon: "luggage" },
      { id: 3, description: t("abroad.papers"), icon: "file-check" },
      { id: 4, description: t("abroad.someday"), icon: "cloud" },
    ],
    next: 9,
  },
  {
    id: 9,
    eyebrow: { text: t("sounds.eyebrow"), icon: "message-circle" },
    contents: [{ type: "title", text: t("sounds.title") }, ...sounds, { type: "paragraph", text: t("sounds.text") }],
    options: [{ id: 1, description: t("sounds.go") }],
    next: 11,
  },
];
