/** Questions 40–56: the level test, sentence by sentence, and the target level. */
import type { QuestionnaireInput, RuleGroup } from "#core/questionnaire/definition.ts";
import { type Level, levels } from "#core/questionnaire/levels.ts";
import type { TextKey } from "../../texts/questionnaire.ts";
import type { Say, Screen } from "../story.ts";

interface Sentence {
  readonly text: string;
  readonly figure: string;
  /** Asks for the meaning of the sentence instead of whether it is understood. `falseFirst`: the wrong meaning is listed first. */
  readonly meaning?: { readonly right: TextKey; readonly wrong: TextKey; readonly falseFirst?: true };
}

/** From the easiest to the hardest, in English in every locale. Ids start at `firstLevelQuestion`. */
const sentences: readonly Sentence[] = [
  { text: "Hi! My name is Anna. What’s your name?", figure: "explain" },
  { text: "I have two brothers and a little sister.", figure: "family" },
  { text: "What time do you get up in the morning?", figure: "coffee" },
  { text: "We went to the beach, but it rained all day.", figure: "shy" },
  { text: "I’ll call you as soon as I get home.", figure: "phone" },
  {
    text: "You’d better take an umbrella, just in case.",
    figure: "guide",
    meaning: { right: "level.umbrella.right", wrong: "level.umbrella.wrong" },
  },
  { text: "I’ve been meaning to call you all week.", figure: "explain" },
  {
    text: "If I’d known you were coming, I’d have cooked more.",
    figure: "coffee",
    meaning: { right: "level.cooked.right", wrong: "level.cooked.wrong", falseFirst: true },
  },
  { text: "She turned the job down because it meant moving away.", figure: "study" },
  {
    text: "He’s unlikely to change his mind, whatever we tell him.",
    figure: "think",
    meaning: { right: "level.mind.right", wrong: "level.mind.wrong" },
  },
  { text: "I’d rather you hadn’t brought that up in front of everyone.", figure: "shy" },
  {
    text: "Little did we know how much was riding on that one decision.",
    figure: "explain",
    meaning: { right: "level.decision.right", wrong: "level.decision.wrong", falseFirst: true },
  },
];
const firstLevelQuestion = 41;
const foundEarly = 53;
const foundAtTheEnd = 54;

/** Where the level questions lead: after the last one, and after a number of No and Maybe (spec 000 §3). */
export const specialLevelQuestions: Pick<QuestionnaireInput, "lastLevelQuestionFollowUpQuestion" | "levelQuestionRules"> = {
  lastLevelQuestionFollowUpQuestion: foundAtTheEnd,
  levelQuestionRules: [
    { no: 2, maybe: 0, followUpQuestion: foundEarly },
    { no: 1, maybe: 2, followUpQuestion: foundEarly },
  ],
};

/**
 * A test that ends early ends at a sentence that the visitor does not understand. 44 is the first sentence in the past tense. A visitor who fails it is a
 * beginner, because the level "basic" promises that one can say what one did yesterday.
 */
export const userLevelMappings = [
  { first: 41, last: 44, userLevel: "beginner" },
  { first: 45, last: 46, userLevel: "basic" },
  { first: 47, last: 49, userLevel: "intermediate" },
  { first: 50, last: 51, userLevel: "upperintermediate" },
  { first: 52, last: 52, userLevel: "advanced" },
] as const;

export const levelsIn = (t: Say): QuestionnaireInput["levels"] => ({
  beginner: { name: t("levels.beginner.name"), text: t("levels.beginner.text") },
  basic: { name: t("levels.basic.name"), text: t("levels.basic.text") },
  intermediate: { name: t("levels.intermediate.name"), text: t("levels.intermediate.text") },
  upperintermediate: { name: t("levels.upperintermediate.name"), text: t("levels.upperintermediate.text") },
});

/** A rule group for visitors with levels from the first to the last, inclusive. */
export type Between = (first: Level, last: Level) => RuleGroup;

/** The level follows from the last level question that the visitor reached. */
const reached: Between = (first, last) => {
  const within = levels.slice(levels.indexOf(first), levels.indexOf(last) + 1);
  const ranges = userLevelMappings.filter(({ userLevel }) => within.includes(userLevel === "advanced" ? "upperintermediate" : userLevel));
  return {
    rules: ranges.flatMap((range) =>
      Array.from({ length: range.last - range.first + 1 }, (_, index) => ({ lastLevelQuestion: range.first + index })),
    ),
  };
};

/** The target level: levels above the visitor's own. */
export const targetView = (t: Say, between: Between): Screen => ({
  id: 56,
  type: "TargetLevelView",
  eyebrow: { text: t("plan.eyebrow"), icon: "target" },
  contents: [
    { type: "title", text: t("target.title") },
    { type: "description", text: t("target.text") },
  ],
  options: [
    {
      id: 1,
      description: t("target.basic"),
      detail: t("target.basic.detail"),
      icon: "coffee",
      requirements: between("beginner", "beginner"),
      meta: { targetLevel: "basic" },
    },
    {
      id: 2,
      description: t("target.intermediate"),
      detail: t("target.intermediate.detail"),
      icon: "messages-square",
      requirements: between("beginner", "basic"),
      meta: { targetLevel: "intermediate" },
    },
    {
      id: 3,
      description: t("target.upper"),
      detail: t("target.upper.detail"),
      icon: "mountain",
      requirements: between("beginner", "intermediate"),
      meta: { targetLevel: "upperintermediate" },
    },
    {
      id: 4,
      description: t("target.fluent"),
      detail: t("target.fluent.detail"),
      icon: "messages-square",
      requirements: between("intermediate", "upperintermediate"),
      meta: { targetLevel: "advanced" },
    },
    // At upper intermediate only one higher level is left. This goal is their second option, so that nobody has only one.
    {
      id: 5,
      description: t("target.polish"),
      detail: t("target.polish.detail"),
      icon: "star",
      requirements: between("upperintermediate", "upperintermediate"),
      meta: { targetLevel: "advanced" },
    },
  ],
  next: 57,
});

/** The answer between yes and no, in every level question. */
const maybe = 2;

/** Three "more or less" in four successive sentences end the test, so nobody reaches the last sentence without understanding. */
function hardEnough(id: number): Screen["followUps"] {
  const before = [id - 3, id - 2, id - 1].filter((earlier) => earlier >= firstLevelQuestion);
  const pairs = before.flatMap((one, index) => before.slice(index + 1).map((other) => [one, other, id]));
  return pairs.map((ids) => ({
    requirements: { type: "and", rules: ids.map((questionId) => ({ questionId, optionId: maybe })) },
    followUpQuestion: foundEarly,
  }));
}

/**
 * The options of a level question: understood, not sure, not understood. A question about the meaning has four: right meaning, wrong meaning, not sure, not
 * understood.
 */
function answersTo(t: Say, { meaning }: Sentence): Screen["options"] {
  const understood: Screen["options"] = [
    { id: 1, type: "Yes", description: t(meaning?.right ?? "level.yes"), icon: meaning === undefined ? "check" : "message-circle" },
    { id: maybe, type: "Maybe", description: t(meaning === undefined ? "level.maybe" : "level.unsure"), icon: "equal-approximately" },
    { id: 3, type: "No", description: t(meaning === undefined ? "level.no" : "level.lost"), icon: "x" },
  ];
  if (meaning === undefined) return understood;
  const misread = { id: 4, type: "No", description: t(meaning.wrong), icon: "message-circle" } as const;
  return understood.toSpliced(meaning.falseFirst ? 0 : 1, 0, misread);
}

export const level = (t: Say): Screen[] => [
  {
    id: 40,
    header: { media: "read", alt: t("level.alt"), flexible: true },
    contents: [
      { type: "title", text: t("level.title") },
      { type: "description", text: t("level.text") },
      {
        type: "list",
        items: [
          { text: t("level.item1"), icon: "message-circle" },
          { text: t("level.item2"), icon: "trending-up" },
          { text: t("level.item3"), icon: "hand" },
        ],
      },
    ],
    options: [{ id: 1, description: t("level.go") }],
    next: firstLevelQuestion,
  },
  ...sentences.map((sentence, index): Screen => {
    const { text, figure, meaning } = sentence;
    const id = firstLevelQuestion + index;
    return {
      id,
      type: "LevelQuestion",
      layout: "level",
      weight: 0.5,
      eyebrow: { text: t("level.eyebrow"), icon: "ear" },
      contents: [
        {
          type: "bubble",
          text,
          size: "large",
          lang: "en",
          figure,
          count: { at: index + 1, of: sentences.length },
          ...(index % 4 === 0 && { hint: t(index === 0 ? "level.hint.first" : index === 4 ? "level.hint.middle" : "level.hint.last") }),
        },
        { type: "title", text: t(meaning === undefined ? "level.question" : "level.meaning") },
      ],
      options: answersTo(t, sentence),
      // The last level question always has the same follow-up.
      followUps: index === sentences.length - 1 ? [] : hardEnough(id),
      next: index === sentences.length - 1 ? foundAtTheEnd : id + 1,
    };
  }),
  {
    id: foundEarly,
    header: { media: "sit", alt: t("early.alt"), flexible: true },
    contents: [
      { type: "title", text: t("early.title") },
      { type: "paragraphs", items: [t("early.text1"), t("early.text2")] },
    ],
    options: [
      { id: 1, description: t("early.go") },
      { id: 2, type: "ToPrevious", description: t("level.change"), buttonStyle: "link" },
    ],
    next: 55,
  },
  {
    id: foundAtTheEnd,
    header: { media: "celebrate", alt: t("late.alt"), flexible: true },
    contents: [
      { type: "title-sparkle", text: t("late.title") },
      { type: "paragraph", text: t("late.text") },
    ],
    options: [
      { id: 1, description: t("early.go") },
      { id: 2, type: "ToPrevious", description: t("level.change"), buttonStyle: "link" },
    ],
    next: 55,
  },
  {
    id: 55,
    type: "InitialLevelView",
    eyebrow: { text: t("initial.eyebrow"), icon: "map-pin" },
    contents: [
      { type: "title", text: t("initial.title") },
      { type: "description", text: t("initial.text") },
      {
        type: "list",
        requirements: reached("beginner", "beginner"),
        items: [t("initial.beginner1"), t("initial.beginner2"), t("initial.beginner3")].map(can),
      },
      {
        type: "list",
        requirements: reached("basic", "basic"),
        items: [t("initial.basic1"), t("initial.basic2"), t("initial.basic3")].map(can),
      },
      {
        type: "list",
        requirements: reached("intermediate", "intermediate"),
        items: [t("initial.intermediate1"), t("initial.intermediate2"), t("initial.intermediate3")].map(can),
      },
      {
        type: "list",
        requirements: reached("upperintermediate", "upperintermediate"),
        items: [t("initial.upper1"), t("initial.upper2"), t("initial.upper3")].map(can),
      },
      { type: "footnote", text: t("initial.footnote") },
    ],
    options: [
      { id: 1, description: t("initial.go") },
      {
        id: 2,
        description: t("initial.below"),
        requirements: reached("basic", "upperintermediate"),
        buttonStyle: "link",
        reward: { title: t("initial.below.reward.title"), text: t("initial.below.reward.text"), figure: "guide" },
      },
      {
        id: 3,
        description: t("initial.above"),
        requirements: reached("beginner", "intermediate"),
        buttonStyle: "link",
        reward: { title: t("initial.above.reward.title"), text: t("initial.above.reward.text"), figure: "guide" },
      },
    ],
    next: 56,
  },
  targetView(t, reached),
];

/** 55 and 56 for versions that ask for the level directly (algorithm InitialLevel). */
export const levelPick = (t: Say): Screen[] => [
  {
    id: 55,
    type: "InitialLevelView",
    eyebrow: { text: t("initial.eyebrow"), icon: "map-pin" },
    contents: [
      { type: "title", text: t("pick.title") },
      { type: "description", text: t("pick.text") },
    ],
    options: [
      { id: 1, description: t("pick.beginner"), icon: "sprout", meta: { userLevel: "beginner" } },
      { id: 2, description: t("pick.basic"), icon: "hand", meta: { userLevel: "basic" } },
      { id: 3, description: t("pick.intermediate"), icon: "messages-square", meta: { userLevel: "intermediate" } },
      { id: 4, description: t("pick.upper"), icon: "mountain", meta: { userLevel: "upperintermediate" } },
    ],
    next: 56,
  },
  targetView(t, (first, last) => ({
    rules: levels.flatMap((level, index) =>
      levels.indexOf(first) <= index && index <= levels.indexOf(last) ? [{ questionId: 55, optionId: index + 1 }] : [],
    ),
  })),
];

function can(text: ReturnType<Say>) {
  return { text, icon: "check" };
}
