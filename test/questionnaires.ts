/** Questionnaires for tests: a small one with every feature, and random sound ones for fast-check. */
import {
  type Questionnaire,
  type QuestionnaireInput,
  type QuestionInput,
  type RuleGroup,
  questionnaireSchema,
} from "#core/questionnaire/definition.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { QuestionnaireEvent } from "#core/questionnaire/step.ts";
import fc from "fast-check";
import * as v from "valibot";

export const mexico: Context = {
  locale: "es-419",
  country: "MX",
  platform: "android",
  requiresMarketingConsent: false,
  today: "2026-11-20",
};

export const schedules: QuestionnaireInput["schedules"] = [
  {
    id: 1,
    months: 9,
    practiseDaysPerWeek: 3,
    minutesPerSession: 15,
    name: "Calm",
    monthsText: "9 months",
    practiseDaysPerWeekText: "3 days",
    minutesPerSessionText: "15 minutes",
  },
  {
    id: 2,
    months: 6,
    practiseDaysPerWeek: 4,
    minutesPerSession: 20,
    name: "Steady",
    monthsText: "6 months",
    practiseDaysPerWeekText: "4 days",
    minutesPerSessionText: "20 minutes",
  },
  {
    id: 3,
    months: 3,
    practiseDaysPerWeek: 5,
    minutesPerSession: 30,
    name: "Fast",
    monthsText: "3 months",
    practiseDaysPerWeekText: "5 days",
    minutesPerSessionText: "30 minutes",
  },
];

export const levels: QuestionnaireInput["levels"] = {
  beginner: { name: "beginner", text: "You know your first words and simple phrases." },
  basic: { name: "basic", text: "You get by in everyday situations with simple sentences." },
  intermediate: { name: "intermediate", text: "You follow normal conversations and can say what you think." },
  upperintermediate: { name: "upper intermediate", text: "You speak fluently about almost anything and understand native speakers well." },
};

const basis: Omit<QuestionnaireInput, "questions"> = {
  id: "76",
  version: 1,
  theme: "parlando",
  initialQuestion: 2,
  embeddedQuestion: 2,
  extraTrackingQuestion: 3,
  progress: { type: "weight", end: 80 },
  userLevelAlgorithm: "LevelQuestion",
  userLevelMappings: [
    { first: 41, last: 42, userLevel: "beginner" },
    { first: 43, last: 43, userLevel: "intermediate" },
    { first: 44, last: 44, userLevel: "advanced" },
  ],
  lastLevelQuestionFollowUpQuestion: 54,
  levelQuestionRules: [
    { no: 2, maybe: 0, followUpQuestion: 53 },
    { no: 1, maybe: 2, followUpQuestion: 53 },
  ],
  levels,
  schedules,
  productConfigurations: [],
};

/** A parsed definition with these questions. `changes` override the small questionnaire. */
export function questionnaire(questions: readonly QuestionInput[], changes: Partial<QuestionnaireInput> = {}): Questionnaire {
  return v.parse(questionnaireSchema, { ...basis, questions: [...questions], ...changes });
}

const go = (followUpQuestion: number) => [{ id: 1, description: "Continue", followUpQuestion }];
const understands = (next: number) => [
  { id: 1, type: "Yes" as const, description: "Yes", followUpQuestion: next },
  { id: 2, type: "Maybe" as const, description: "Almost", followUpQuestion: next },
  { id: 3, type: "No" as const, description: "No", followUpQuestion: next },
];

/** 2 → 3 → (Brazil 4) → level 41–44 → 53 | 54 → 55 → 56 target → 60 schedule → 61 days → 67–69 sign-up → 73 → 79 → 80. */
export const smallQuestions: readonly QuestionInput[] = [
  {
    id: 2,
    contents: [{ type: "title", text: "Why?" }],
    options: [
      { id: 1, description: "Work", followUpQuestion: 3 },
      { id: 2, description: "Travel", followUpQuestion: 3 },
      { id: 3, type: "ToHomePage", description: "Not now" },
    ],
  },
  {
    id: 3,
    contents: [],
    options: [
      { id: 1, description: "Young", followUpQuestion: 41 },
      { id: 2, type: "ToPrevious", description: "Let me change that" },
    ],
    followUps: [{ requirements: { rules: [{ countryIs: "BR" }] }, followUpQuestion: 4 }],
  },
  { id: 4, contents: [], options: go(41) },
  { id: 41, type: "LevelQuestion", contents: [], options: understands(42) },
  { id: 42, type: "LevelQuestion", contents: [], options: understands(43) },
  { id: 43, type: "LevelQuestion", contents: [], options: understands(44) },
  { id: 44, type: "LevelQuestion", contents: [], options: understands(54) },
  { id: 53, contents: [], options: go(55) },
  { id: 54, contents: [], options: go(55) },
  { id: 55, type: "InitialLevelView", contents: [], options: go(56) },
  {
    id: 56,
    type: "TargetLevelView",
    contents: [],
    options: [
      { id: 1, description: "Intermediate", followUpQuestion: 60, meta: { targetLevel: "intermediate" } },
      { id: 2, description: "Everything", followUpQuestion: 60, meta: { targetLevel: "advanced" } },
    ],
  },
  { id: 60, contents: [{ type: "studySchedule" }], options: go(61) },
  { id: 61, contents: [{ type: "daySelection" }], options: go(67) },
  { id: 67, type: "SignupView", contents: [{ type: "signupEmail" }], options: go(68) },
  {
    id: 68,
    type: "SignupView",
    contents: [{ type: "signupPassword" }],
    options: [...go(69), { id: 2, type: "ToPrevious", description: "Another e-mail" }],
  },
  { id: 69, type: "SignupView", contents: [{ type: "signupName" }], options: go(73) },
  { id: 73, type: "PreparingProgram", contents: [], options: go(79) },
  { id: 79, type: "ThankYouView", contents: [], options: go(80) },
  { id: 80, contents: [], options: [{ id: 1, type: "ToHomePage", description: "Home" }] },
];
export const smallQuestionnaire: Questionnaire = questionnaire(smallQuestions);

/** Random rules about earlier questions, which may or may not apply. */
function ruleGroups(before: readonly number[]): fc.Arbitrary<RuleGroup> {
  const rule = fc.oneof(
    fc.record({ questionId: fc.constantFrom(2, ...before), optionId: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ questionId: fc.constantFrom(2, ...before) }),
    fc.record({ countryIs: fc.constantFrom("MX", "BR", ["AR", "MX"]) }),
    fc.record({ countryIsNot: fc.constantFrom("MX", "BR") }),
    fc.record({ localeIs: fc.constantFrom("es-419" as const, "pt-BR" as const) }),
    fc.record({ schedule: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ days: fc.constantFrom("on" as const, "off" as const) }),
    fc.record({ lastLevelQuestion: fc.constantFrom(2, ...before) }),
    fc.record({ platform: fc.constantFrom("android" as const, "apple" as const) }),
    fc.record({ requiresMarketingConsent: fc.constantFrom("on" as const, "off" as const) }),
  );
  const group = fc.record({ type: fc.constantFrom("or" as const, "and" as const), rules: fc.array(rule, { minLength: 1, maxLength: 3 }) });
  return fc.oneof(
    group,
    fc.record({
      type: fc.constantFrom("or" as const, "and" as const),
      rules: fc.array(fc.oneof(rule, group), { minLength: 1, maxLength: 2 }),
    }),
  );
}

/**
 * Random sound questionnaires of 5 to 16 questions. Options and follow-ups lead forwards, some backwards. Level questions are consecutive.
 * One question chooses the schedule, and a later one the days. Every question has at least one visible option that leads on.
 */
export const anyQuestionnaire: fc.Arbitrary<Questionnaire> = fc
  .record({
    count: fc.integer({ min: 5, max: 16 }),
    levelsFrom: fc.integer({ min: 3, max: 6 }),
    levels: fc.integer({ min: 0, max: 4 }),
    scheduleAt: fc.integer({ min: 3, max: 9 }),
    signupAt: fc.integer({ min: 4, max: 14 }),
    levelEnd: fc.nat(),
    levelStop: fc.nat(),
  })
  .chain(({ count, levelsFrom, levels, scheduleAt, signupAt, levelEnd, levelStop }) => {
    const ids = Array.from({ length: count }, (_, index) => index + 2);
    const last = count + 1;
    const isLevel = (id: number) => id >= levelsFrom && id < levelsFrom + levels && id < last;
    const later = (id: number, from = id + 1) => fc.integer({ min: Math.min(from, last), max: last });
    const questions = ids.map((id): fc.Arbitrary<QuestionInput> => {
      const before = ids.filter((other) => other < id);
      const target = fc.oneof(
        { weight: 6, arbitrary: fc.constant(Math.min(id + 1, last)) },
        { weight: 3, arbitrary: later(id) },
        { weight: 1, arbitrary: fc.constantFrom(2, ...before) },
      );
      const type = isLevel(id)
        ? ("LevelQuestion" as const)
        : id < last && (id === signupAt || id === signupAt + 1)
          ? ("SignupView" as const)
          : undefined;
      const forward = type === "SignupView" ? later(id) : target;
      const option = fc.record({
        type: isLevel(id)
          ? fc.constantFrom("Yes" as const, "No" as const, "Maybe" as const)
          : fc.constantFrom(
              undefined,
              undefined,
              undefined,
              "No" as const,
              before.length > 0 ? ("ToPrevious" as const) : undefined,
              "ToHomePage" as const,
            ),
        followUpQuestion: forward,
        requirements: before.length === 0 ? fc.constant(undefined) : fc.option(ruleGroups(before), { nil: undefined, freq: 4 }),
      });
      const contents = [
        ...(id === scheduleAt ? [{ type: "studySchedule" }] : []),
        ...(id === scheduleAt + 1 ? [{ type: "daySelection" }] : []),
      ];
      return fc
        .record({
          weight: fc.integer({ min: 0, max: 3 }),
          first: forward,
          options: fc.array(option, { maxLength: 3 }),
          followUps: fc.array(fc.record({ requirements: ruleGroups(before), followUpQuestion: forward }), { maxLength: 2 }),
        })
        .map(({ weight, first, options, followUps }) => ({
          id,
          weight,
          ...(type === undefined ? {} : { type }),
          contents,
          options:
            id === last
              ? [{ id: 1, type: "ToHomePage" as const, description: "Home" }]
              : [
                  { id: 1, description: "On", followUpQuestion: first },
                  ...options.map((each, index) => ({ ...each, id: index + 2, description: "Or" })),
                ],
          followUps: id === last ? [] : followUps,
        }));
    });
    const after = (seed: number) => Math.min(last, levelsFrom + levels + (seed % 3));
    return fc
      .record({ questions: fc.tuple(...questions), scheduleGoesTo: fc.option(later(scheduleAt), { nil: undefined }) })
      .map(({ questions: made, scheduleGoesTo }) =>
        questionnaire(made, {
          progress: { type: "weight", end: last },
          lastLevelQuestionFollowUpQuestion: after(levelEnd),
          levelQuestionRules: [
            { no: 2, maybe: 0, followUpQuestion: after(levelStop) },
            { no: 1, maybe: 2, followUpQuestion: last },
          ],
          schedules: schedules.map((schedule) =>
            schedule.id === 2 && scheduleGoesTo !== undefined ? { ...schedule, followUpQuestion: scheduleGoesTo } : schedule,
          ),
        }),
      );
  });

export const anyContext: fc.Arbitrary<Context> = fc.record({
  locale: fc.constantFrom("es-419", "pt-BR", "de-DE"),
  country: fc.constantFrom("MX", "BR", "AR", "DE"),
  platform: fc.constantFrom("android", "apple", "other"),
  requiresMarketingConsent: fc.boolean(),
  today: fc.constantFrom("2026-11-20", "2024-02-29", "2026-12-31"),
});

/** A visitor's next action. `pick` selects among the visible options or visited questions at run time. */
export type Move =
  | { readonly kind: "answer" | "back" | "again" | "jump"; readonly pick: number }
  | { readonly kind: "event"; readonly event: QuestionnaireEvent };

export const anyAnswer: fc.Arbitrary<Move> = fc.record({ kind: fc.constant("answer" as const), pick: fc.nat({ max: 11 }) });
export const anyChoice: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    kind: fc.constant("event" as const),
    event: fc.record({ type: fc.constant("chooseSchedule" as const), scheduleId: fc.integer({ min: 1, max: 3 }) }),
  }),
  fc.record({
    kind: fc.constant("event" as const),
    event: fc.record({ type: fc.constant("chooseDays" as const), days: fc.uniqueArray(fc.integer({ min: 0, max: 6 })) }),
  }),
);
export const anyReturn: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom("back" as const, "again" as const),
  pick: fc.nat({ max: 19 }),
});
export const anyPersonal: fc.Arbitrary<Move> = fc.oneof(
  fc.constant({ kind: "event" as const, event: { type: "signedUp" as const, uuid: "u-1" } }),
  fc.constant({ kind: "event" as const, event: { type: "finish" as const, at: "2026-11-20T10:00:00Z" } }),
  fc.record({
    kind: fc.constant("event" as const),
    event: fc.record({
      type: fc.constant("setUser" as const),
      user: fc.constantFrom({ firstname: "Ana" }, { email: "ana@example.com", password: "secret-1" }),
    }),
  }),
  fc.record({
    kind: fc.constant("event" as const),
    event: fc.record({
      type: fc.constant("toggleListItem" as const),
      list: fc.constantFrom("skillsToImprove" as const, "moreInfoOf" as const, "programChangeWish" as const),
      item: fc.constantFrom("a", "b"),
    }),
  }),
);
export const anyJump: fc.Arbitrary<Move> = fc.record({ kind: fc.constant("jump" as const), pick: fc.nat({ max: 19 }) });
