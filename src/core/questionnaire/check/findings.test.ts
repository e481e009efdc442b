import { questionnaire, schedules } from "#test/questionnaires.ts";
import { expect, it } from "vitest";
import { check, presentFindings, type Surroundings } from "../check.ts";
import type { Questionnaire, QuestionInput } from "../definition.ts";

const go = (followUpQuestion: number) => [{ id: 1, description: "On", followUpQuestion }];
const home = { id: 9, type: "ToHomePage" as const, description: "Home" };
const back = { id: 8, type: "ToPrevious" as const, description: "Back" };
const says = (...names: readonly string[]) => ({ type: "paragraph", text: names.map((name) => ["arg", name]) });
const only = (...rules: NonNullable<QuestionInput["contents"][number]["requirements"]>["rules"]) => ({ requirements: { rules } });

/** All findings, with the answers of their paths; then the statistics. */
function inWords(definition: Questionnaire, surroundings?: Surroundings): readonly string[] {
  const { findings, statistics } = check(definition, surroundings);
  return [
    ...findings.map(({ kind, severity, question, message, path }) =>
      [severity, kind, question ?? "", message, path ?? "nowhere"].filter((each) => each !== "").join(" "),
    ),
    statistics === null ? "nothing walked" : Object.values(statistics).join(" "),
  ];
}

it("a questionnaire with a single question lacks the questions that the engine needs", () => {
  const bare = questionnaire([{ id: 3, contents: [], options: [] }], {
    initialQuestion: 3,
    userLevelAlgorithm: "InitialLevel",
    progress: { type: "weight", end: 4 },
  });
  expect(inWords(bare)).toEqual([
    "fault noEmbeddedQuestion Question 2, which is embedded on the home page, does not exist or has no options. nowhere",
    "fault noInitialLevelView The level comes from an InitialLevelView, and there is none. nowhere",
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noProgressEnd Progress ends at question 4, which does not exist. nowhere",
    "fault noPayment No question holds a payment block. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault deadEnd 3 Question 3 cannot be left: no option shows.",
    "1 0    3 1",
  ]);
  expect(
    inWords(
      questionnaire(
        [
          { id: 2, contents: [], options: [] },
          { id: 5, type: "PreparingProgram", contents: [], options: [home] },
        ],
        { initialQuestion: 1 },
      ),
    ),
  ).toEqual([
    "fault noInitialQuestion The initial question 1 does not exist. nowhere",
    "fault noEmbeddedQuestion Question 2, which is embedded on the home page, does not exist or has no options. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noProgressEnd Progress ends at question 80, which does not exist. nowhere",
    "fault noPayment No question holds a payment block. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "nothing walked",
  ]);
});

it("with InitialLevel, each option except ways back needs a level, and the program view must exist", () => {
  const chosen = (thanks: Partial<QuestionInput>) =>
    questionnaire(
      [
        {
          id: 2,
          type: "InitialLevelView",
          contents: [],
          options: [...go(3), { id: 2, description: "B", followUpQuestion: 3, meta: { userLevel: "basic" } }, home],
        },
        {
          id: 3,
          type: "TargetLevelView",
          contents: [],
          options: [...go(4), { id: 2, description: "C", followUpQuestion: 4, meta: { targetLevel: "advanced" } }, back, home],
        },
        { id: 4, type: "SignupView", contents: [{ type: "signupPassword" }, { type: "other" }], options: go(5) },
        { id: 5, type: "PreparingProgram", contents: [], options: [...go(6), back] },
        { id: 6, type: "ThankYouView", contents: [], options: [...go(7), back, home], ...thanks },
        { id: 7, contents: [{ type: "paddle" }, { type: "other" }], options: [home, back] },
      ],
      { userLevelAlgorithm: "InitialLevel", userLevelMappings: [], progress: { type: "weight", end: 7 } },
    );
  expect(inWords(chosen({}))).toEqual([
    "fault noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "fault noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "6 0 6 6 6 53 1",
  ]);
  expect(inWords(chosen({ followUps: [{ ...only({ countryIs: "DE" }), followUpQuestion: 99 }] }))).toEqual([
    "fault unknownQuestion 6 Follow-up 1 of question 6 leads to question 99, which does not exist. nowhere",
    "fault noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "fault noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "fault unknownQuestion 6 Question 6, option 1: No such question! (question 99) 2.1~3.1~4.1~5.1",
    "6 0 6 6 6 94 2",
  ]);
  expect(inWords(chosen({ options: [{ id: 1, description: "On", followUpQuestion: 98 }] }))).toEqual([
    "fault unknownQuestion 6 Option 1 of question 6 leads to question 98, which does not exist. nowhere",
    "fault unreachable 7 Nothing leads to question 7. nowhere",
    "fault noProgressEnd Progress ends at question 7, which is never reached. nowhere",
    "fault noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "fault noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "fault unknownQuestion 6 Question 6, option 1: No such question! (question 98) 2.1~3.1~4.1~5.1",
    "6 0    41 1",
  ]);
  expect(inWords(chosen({ type: undefined }))).toEqual([
    "fault noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "fault noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "6 0 6 6 6 53 1",
  ]);
});

it("all kinds of links are checked, those of level rules only with level questions", () => {
  const questions: readonly QuestionInput[] = [
    { id: 2, contents: [{ type: "studySchedule" }], options: go(3), followUps: [{ ...only({ countryIs: "BR" }), followUpQuestion: 96 }] },
    { id: 3, contents: [{ type: "payment" }], options: [{ id: 1, type: "No", description: "No", followUpQuestion: 2 }] },
  ];
  const changes = {
    schedules: schedules.map((schedule) => ({ ...schedule, followUpQuestion: 95 })),
    lastLevelQuestionFollowUpQuestion: 94,
    levelQuestionRules: [{ no: 1, maybe: 0, followUpQuestion: 93 }],
    progress: { type: "weight" as const, end: 3 },
  };
  expect(inWords(questionnaire(questions, changes))).toEqual([
    "fault unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault unreachable 3 Question 3 is never reached: the links to it from 2 are never taken. nowhere",
    "fault noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "2 0    6 2",
  ]);
  const level: QuestionInput = {
    id: 4,
    type: "LevelQuestion",
    contents: [],
    options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 94 }, home],
  };
  expect(inWords(questionnaire([...questions, level], changes))).toEqual([
    "fault unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "fault unknownQuestion 4 Option 1 of question 4 leads to question 94, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion The level rule of 1 No and 0 Maybe leads to question 93, which does not exist. nowhere",
    "fault unknownQuestion The last level question leads to question 94, which does not exist. nowhere",
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault unmappedLevel 4 Level question 4 is mapped to no level. nowhere",
    "fault unreachable 3 Question 3 is never reached: the links to it from 2 are never taken. nowhere",
    "fault unreachable 4 Nothing leads to question 4. nowhere",
    "fault noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "3 0    6 2",
  ]);
  expect(
    inWords(
      questionnaire(
        [
          ...questions,
          { ...level, options: [{ id: 1, type: "No", description: "No" }] },
          { id: 998, contents: [], options: [] },
          { id: 999, contents: [], options: [] },
        ],
        changes,
      ),
    ),
  ).toEqual([
    "fault unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "fault unknownQuestion The level rule of 1 No and 0 Maybe leads to question 93, which does not exist. nowhere",
    "fault unknownQuestion The last level question leads to question 94, which does not exist. nowhere",
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault unmappedLevel 4 Level question 4 is mapped to no level. nowhere",
    "fault unreachable 3 Question 3 is never reached: the links to it from 2 are never taken. nowhere",
    "fault unreachable 4 Nothing leads to question 4. nowhere",
    "fault unreachable 998 Nothing leads to question 998. nowhere",
    "fault noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "fault unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "fault levelRuleNeverFires The level rule of 1 No and 0 Maybe never applies. nowhere",
    "5 0    6 2",
  ]);
});

it("a block or text that shows before its data is known is found and named", () => {
  const need = { who: ["firstname", "email", "signup"], when: ["schedule", "days"], what: ["product", "level", "targetLevel"] } as const;
  const surroundings: Surroundings = {
    blockNeeds: ({ type }) => Object.entries(need).find(([name]) => name === type)?.[1] ?? [],
    blockPlaceholders: ({ type }) => (type === "own" ? ["OWN"] : []),
  };
  const all = (id: number) => [
    { type: "who" },
    { type: "when" },
    { type: "what" },
    says("FIRSTNAME", "EMAIL", "MINUTES", "DAY_NAMES", "MONTHS", "ME_FEE"),
    { type: "hidden", id },
  ];
  const definition = questionnaire(
    [
      {
        id: 2,
        contents: [
          ...all(2),
          {
            type: "own",
            text: [
              ["arg", "OWN"],
              ["arg", "OTHER"],
            ],
          },
          { ...says("EMAIL"), type: "hidden", ...only({ days: "on" }) },
        ],
        options: [{ id: 1, description: [["arg", "EMAIL"]], followUpQuestion: 3 }],
      },
      { id: 3, contents: [{ type: "studySchedule" }, { type: "daySelection" }, says("MINUTES")], options: go(4) },
      { id: 4, type: "SignupView", contents: [{ type: "signupEmail" }, { type: "signupName" }, { type: "price" }], options: go(5) },
      { id: 5, type: "SignupView", contents: [...all(5), { type: "signupPassword" }], options: go(6) },
      { id: 6, contents: [...all(6), { type: "payment" }], options: [home] },
    ],
    {
      schedules: schedules.slice(0, 2).map((schedule) => ({ ...schedule, name: [["arg", "DAY_NAMES"]] })),
      productConfigurations: [
        {
          productType: "subscription",
          productPlan: "3M",
          selectionTexts: { header: [["arg", "NOTHING"]] },
          paymentTexts: { paymentHeader: [["arg", "FIRSTNAME"]] },
        },
      ],
      progress: { type: "weight", end: 6 },
    },
  );
  expect(inWords(definition, surroundings)).toEqual([
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault unknownPlaceholder 2 Block own of question 2 says {OTHER}, which nothing fills. nowhere",
    "fault unknownPlaceholder 4 Block price of question 4 says {NOTHING}, which nothing fills. nowhere",
    "fault unknownPlaceholder 6 Block payment of question 6 says {NOTHING}, which nothing fills. nowhere",
    "fault paymentBeforeProgramView 6 Question 6 asks for payment before the program view (). 2.1~3.1~4.1~5.1~s1~d01234",
    "fault neverHolds 2 Block 7 (hidden) of question 2 never shows: its requirements never hold.",
    "fault unbound 2 Block who of question 2: the first name may not be known yet.",
    "fault unbound 2 Block who of question 2: the e-mail address may not be known yet.",
    "fault unbound 2 Block who of question 2: the account may not be known yet.",
    "fault unbound 2 Block when of question 2: the study schedule may not be known yet.",
    "fault unbound 2 Block when of question 2: the days may not be known yet.",
    "fault unbound 2 Block what of question 2: the product may not be known yet.",
    "fault unbound 2 Block what of question 2: the level may not be known yet.",
    "fault unbound 2 Block what of question 2: the target level may not be known yet.",
    "fault unbound 2 Block paragraph of question 2 says {FIRSTNAME}: the first name may not be known yet.",
    "fault unbound 2 Block paragraph of question 2 says {EMAIL}: the e-mail address may not be known yet.",
    "fault unbound 2 Block paragraph of question 2 says {MINUTES}: the study schedule may not be known yet.",
    "fault unbound 2 Block paragraph of question 2 says {DAY_NAMES}: the days may not be known yet.",
    "fault unbound 2 Block paragraph of question 2 says {ME_FEE}: the product may not be known yet.",
    "fault unbound 2 Option 1 of question 2 says {EMAIL}: the e-mail address may not be known yet.",
    "fault unbound 3 Block studySchedule of question 3 says {DAY_NAMES}: the days may not be known yet. 2.1",
    "fault unbound 3 Block paragraph of question 3 says {MINUTES}: the study schedule may not be known yet. 2.1",
    "fault unbound 4 Block price of question 4 says {FIRSTNAME}: the first name may not be known yet. 2.1~3.1~s1~d01234",
    "fault unbound 5 Block who of question 5: the account may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "fault unbound 5 Block what of question 5: the product may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "fault unbound 5 Block what of question 5: the level may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "fault unbound 5 Block what of question 5: the target level may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "fault unbound 5 Block paragraph of question 5 says {ME_FEE}: the product may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "fault unbound 6 Block what of question 6: the level may not be known yet. 2.1~3.1~4.1~5.1~s1~d01234",
    "fault unbound 6 Block what of question 6: the target level may not be known yet. 2.1~3.1~4.1~5.1~s1~d01234",
    "5 0 5 5 5 12 1",
  ]);
});

it("a finding about a rule names the part of it that never holds", () => {
  const block = (...rules: NonNullable<QuestionInput["contents"][number]["requirements"]>["rules"]) => ({ type: "x", ...only(...rules) });
  const level = (id: number, next: number, ...more: QuestionInput["options"]): QuestionInput => ({
    id,
    type: "LevelQuestion",
    contents: [],
    options: [
      { id: 1, type: "Yes", description: "Yes", followUpQuestion: next },
      { id: 3, type: "No", description: "No", followUpQuestion: next },
      ...more,
    ],
  });
  const definition = questionnaire(
    [
      {
        id: 2,
        contents: [{ type: "x", requirements: { rules: [] } }],
        options: [...go(41), home],
        followUps: [{ requirements: { rules: [] }, followUpQuestion: 41 }, { followUpQuestion: 42 }],
      },
      level(41, 42, home, back),
      { ...level(42, 43), followUps: [{ ...only({ questionId: 2 }), followUpQuestion: 43 }] },
      level(43, 6, home, { id: 7, type: "Maybe", description: "?", followUpQuestion: 54 }, { id: 6, description: "?" }),
      {
        id: 54,
        contents: [
          block({ lastLevelQuestion: 41 }, { lastLevelQuestion: 43 }),
          block({ lastLevelQuestion: 43 }, { lastLevelQuestion: 54 }),
          block({ lastLevelQuestion: 43 }, { lastLevelQuestion: 41, countryIs: "MX" }),
          block({ lastLevelQuestion: 43 }, { lastLevelQuestion: 77 }),
          block({ questionId: 2, optionId: 1 }, { questionId: 2, optionId: 5 }, { questionId: 2, optionId: 9 }, { questionId: 50 }),
          block({ questionId: 50, optionId: 1 }, { schedule: 1 }, { schedule: 9 }),
          block({ questionId: 2 }, { questionId: 50, schedule: 9 }),
          { type: "x", requirements: { type: "and", rules: [{ questionId: 2 }, { type: "or", rules: [{ questionId: 50 }] }] } },
          block({ questionId: 2 }, { lastLevelQuestion: 41 }),
        ],
        options: [...go(6), back, home],
        followUps: [
          { ...only({ questionId: 54, optionId: 8 }), followUpQuestion: 6 },
          { ...only({ questionId: 54, optionId: 9 }), followUpQuestion: 6 },
          { ...only({ questionId: 54, optionId: 1 }), followUpQuestion: 6 },
        ],
      },
      { id: 6, contents: [{ type: "payment" }], options: [back], followUps: [{ ...only({ questionId: 2 }), followUpQuestion: 54 }] },
    ],
    {
      levelQuestionRules: [
        { no: 1, maybe: 0, followUpQuestion: 43 },
        { no: 2, maybe: 0, followUpQuestion: 54 },
      ],
      userLevelMappings: [{ first: 41, last: 43, userLevel: "basic" }],
      progress: { type: "weight", end: 6 },
    },
  );
  expect(inWords(definition)).toEqual([
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault paymentBeforeSignup 6 Question 6 asks for payment before the visitor has signed up. 2.1~41.3~43.1~54.1",
    "fault paymentBeforeProgramView 6 Question 6 asks for payment before the program view (). 2.1~41.3~43.1~54.1",
    "fault shadowed 2 Follow-up 2 of question 2 (to 42) is never taken: an earlier follow-up always applies first.",
    "fault ignoredOption 43 Option 1 of question 43 names question 6, but the last level question always leads to 54. 2.1~41.3",
    "fault ignoredOption 43 Option 3 of question 43 names question 6, but the last level question always leads to 54. 2.1~41.3",
    "fault ignoredOption 43 Option 9 of question 43: its type has no effect, because the last level question always leads to 54. 2.1~41.3",
    'fault deadRule 54 Block 2 (x) of question 54 has a rule that never holds: {"lastLevelQuestion":54} (question 54 is no level question). 2.1~41.3~43.1',
    'fault deadRule 54 Block 3 (x) of question 54 has a rule that never holds: {"countryIs":"MX","lastLevelQuestion":41}. 2.1~41.3~43.1',
    'fault deadRule 54 Block 4 (x) of question 54 has a rule that never holds: {"lastLevelQuestion":77} (question 77 is no level question). 2.1~41.3~43.1',
    'fault deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":2,"optionId":5} (question 2 has no option 5). 2.1~41.3~43.1',
    'fault deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":2,"optionId":9}. 2.1~41.3~43.1',
    'fault deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":50} (there is no question 50). 2.1~41.3~43.1',
    "fault neverHolds 54 Block 6 (x) of question 54 never shows: its requirements never hold (there is no question 50; there is no study schedule 9). 2.1~41.3~43.1",
    'fault deadRule 54 Block 7 (x) of question 54 has a rule that never holds: {"questionId":50,"schedule":9} (there is no question 50) (there is no study schedule 9). 2.1~41.3~43.1',
    "fault neverHolds 54 Block 8 (x) of question 54 never shows: its requirements never hold (there is no question 50). 2.1~41.3~43.1",
    'fault deadRule 54 Block 9 (x) of question 54 has a rule that never holds: {"lastLevelQuestion":41}. 2.1~41.3~43.1',
    "fault neverHolds 54 Follow-up 1 of question 54 (to 6) is never taken: its requirements never hold. 2.1~41.3~43.1",
    "fault neverHolds 54 Follow-up 2 of question 54 (to 6) is never taken: its requirements never hold. 2.1~41.3~43.1",
    "fault neverHolds 6 Follow-up 1 of question 6 (to 54) is never taken: its requirements never hold. 2.1~41.3~43.1~54.1",
    "fault levelRuleNeverFires The level rule of 2 No and 0 Maybe never applies. nowhere",
    "6 0 5 6 5.5 48 2",
  ]);
});

it("a path without a payment is reported at its end, and a payment lists what must come before it", () => {
  const traps = questionnaire(
    [
      {
        id: 2,
        contents: [],
        options: [3, 10, 11, 12, 13, 15].map((to, index) => ({ id: index + 1, description: "On", followUpQuestion: to })),
      },
      { id: 3, contents: [{ type: "studySchedule" }, { type: "payment", ...only({ schedule: 2 }) }], options: go(4) },
      { id: 4, type: "ThankYouView", contents: [], options: go(5), followUps: [{ ...only({ countryIs: "DE" }), followUpQuestion: 6 }] },
      { id: 5, contents: [{ type: "payment" }], options: [] },
      { id: 6, contents: [], options: [...go(5), { id: 2, description: "Again", followUpQuestion: 2 }] },
      { id: 10, contents: [], options: go(10) },
      { id: 11, contents: [], options: [home, back] },
      { id: 12, contents: [], options: [{ id: 1, description: "Nowhere" }] },
      { id: 13, contents: [], options: go(14) },
      { id: 14, contents: [], options: go(13) },
      { id: 15, contents: [], options: [] },
    ],
    { progress: { type: "weight", end: 5 } },
  );
  expect(inWords(traps)).toEqual([
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault paymentBeforeSignup 3 Question 3 asks for payment before the visitor has signed up. 2.1",
    "fault paymentBeforeProgramView 3 Question 3 asks for payment before the program view (6, 5). 2.1",
    "fault trapped 10 No path leads from question 10 to the payment. 2.2",
    "fault deadEnd 15 Question 15 cannot be left: no option shows. 2.6",
    "fault trapped 14 No path leads from question 14 to the payment. 2.5~13.1",
    "fault paymentBeforeSignup 5 Question 5 asks for payment before the visitor has signed up. 2.1~3.1~4.1~s1",
    "fault noFollowUpId 12 Question 12, option 1: No followUpId found! (question 12, option 1) 2.4",
    "11 3 4 5 4.5 72 2",
  ]);
  const unsold = questionnaire([{ id: 2, contents: [], options: [home] }], { progress: { type: "weight", end: 2 } });
  expect(inWords(unsold)).toEqual([
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noPayment No question holds a payment block. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "1 0 1 1 1 3 1",
  ]);
});

it("every path needs a program view, a heading and a sign-up", () => {
  const thanks = questionnaire(
    [
      { id: 2, contents: [{ type: "signupPassword" }, { type: "title" }, { type: "title" }], options: go(3) },
      { id: 3, type: "SignupView", contents: [{ type: "signupEmail" }, { type: "title" }], options: go(4) },
      {
        id: 4,
        type: "ThankYouView",
        contents: [],
        options: [{ id: 1, description: "On" }, back],
        followUps: [{ ...only({ countryIs: "DE" }), followUpQuestion: 5 }],
      },
      { id: 5, contents: [{ type: "title" }], options: [home] },
      { id: 41, type: "LevelQuestion", contents: [], options: go(5) },
    ],
    { userLevelAlgorithm: "InitialLevel", userLevelMappings: [], progress: { type: "weight", end: 5 } },
  );
  expect(inWords(thanks, { isHeading: ({ type }) => type === "title" })).toEqual([
    "fault unknownQuestion The level rule of 2 No and 0 Maybe leads to question 53, which does not exist. nowhere",
    "fault unknownQuestion The level rule of 1 No and 2 Maybe leads to question 53, which does not exist. nowhere",
    "fault unknownQuestion The last level question leads to question 54, which does not exist. nowhere",
    "fault noInitialLevelView The level comes from an InitialLevelView, and there is none. nowhere",
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noPayment No question holds a payment block. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault unreachable 3 Question 3 is never reached: the links to it from 2 are never taken. nowhere",
    "fault unreachable 41 Nothing leads to question 41. nowhere",
    "fault noFollowUpId 4 Question 4, option 1: No followUpId found! (question 4, option 1) 2.1",
    "fault noThankYouView 4 After question 4: No PreparingProgram found! 2.1",
    "fault notOneHeading 2 Question 2 shows 2 headings.",
    "fault notOneHeading 4 Question 4 shows no heading. 2.1",
    "5 0 3 3 3 17 2",
  ]);
});

it("decreasing progress is noted, and loops and ways back do not count in path lengths", () => {
  const heavy = questionnaire(
    [
      { id: 2, contents: [], options: [...go(7), { id: 2, description: "Long", followUpQuestion: 3 }, home] },
      { id: 3, contents: [], options: [...go(4), back, { id: 2, description: "Round", followUpQuestion: 2 }] },
      {
        id: 4,
        contents: [],
        options: [
          { id: 1, description: "Round", followUpQuestion: 3 },
          { id: 2, description: "On", followUpQuestion: 6 },
        ],
      },
      { id: 5, weight: 30, contents: [], options: go(6) },
      { id: 6, contents: [], options: [...go(8), { id: 2, description: "Heavy", followUpQuestion: 5 }] },
      { id: 7, contents: [], options: [...go(6), { id: 2, description: "End", followUpQuestion: 8 }] },
      { id: 8, contents: [{ type: "payment" }], options: [...go(2), back] },
    ],
    { progress: { type: "weight", end: 8 } },
  );
  expect(inWords(heavy)).toEqual([
    "fault noPreparingProgram There is no PreparingProgram question. nowhere",
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "fault noSignup No SignupView holds a signupPassword block. nowhere",
    "fault paymentBeforeSignup 8 Question 8 asks for payment before the visitor has signed up. 2.1~7.2",
    "fault paymentBeforeProgramView 8 Question 8 asks for payment before the program view (). 2.1~7.2",
    "note progressStepsBack 6 From question 6 to 5 progress would decrease by 2.9 percent; the bar does not move. 2.1~7.1",
    "7 5 3 5 4.25 33 1",
  ]);
});

it("a ThankYouView that leads to no question is reported once, as a missing program view", () => {
  const nowhere = questionnaire(
    [
      { id: 2, contents: [], options: go(3) },
      {
        id: 3,
        type: "ThankYouView",
        contents: [],
        options: [...go(98), back],
        followUps: [{ ...only({ countryIs: "DE" }), followUpQuestion: 97 }],
      },
    ],
    { progress: { type: "weight", end: 3 } },
  );
  expect(inWords(nowhere).filter((each) => each.includes("noThankYouView"))).toEqual([
    "fault noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
  ]);
});

it("level rules apply on a No, before follow-ups, except on the last level question", () => {
  const level = (id: number, ...types: readonly ("Yes" | "Maybe" | "No")[]): QuestionInput => ({
    id,
    type: "LevelQuestion",
    contents: [],
    options: types.map((type, index) => ({ id: index + 1, type, description: type, followUpQuestion: id + 1 })),
  });
  const definition = questionnaire(
    [
      { id: 2, contents: [], options: go(41) },
      { ...level(41, "Yes", "Maybe", "No"), followUps: [{ ...only({ questionId: 41, optionId: 3 }), followUpQuestion: 42 }] },
      level(42, "Yes", "Maybe"),
      level(43, "Yes", "No"),
      { id: 44, contents: [], options: [{ id: 1, type: "No", description: "No", followUpQuestion: 45 }] },
      { id: 45, contents: [], options: [back], followUps: [{ requirements: { rules: [] }, followUpQuestion: 44 }] },
    ],
    {
      levelQuestionRules: [
        { no: 1, maybe: 1, followUpQuestion: 44 },
        { no: 2, maybe: 0, followUpQuestion: 44 },
        { no: 1, maybe: 0, followUpQuestion: 42 },
      ],
      lastLevelQuestionFollowUpQuestion: 44,
      progress: { type: "weight", end: 45 },
    },
  );
  expect(inWords(definition).filter((each) => /neverHolds|shadowed|levelRule/.test(each))).toEqual([
    "fault neverHolds 41 Follow-up 1 of question 41 (to 42) is never taken: its requirements never hold. 2.1",
    "fault shadowed 45 Follow-up 1 of question 45 (to 44) is never taken: an earlier follow-up always applies first. 2.1~41.1~42.1~43.1~44.1",
    "fault levelRuleNeverFires The level rule of 1 No and 1 Maybe never applies. nowhere",
    "fault levelRuleNeverFires The level rule of 2 No and 0 Maybe never applies. nowhere",
  ]);
});

it("answers that decide the target level are distinguished only up to the last text that mentions it", () => {
  const both = [1, 2].map((id) => ({ id, description: "On" }));
  const definition = questionnaire(
    [
      { id: 2, contents: [], options: both.map((option) => ({ ...option, followUpQuestion: 3 })) },
      { id: 3, contents: [], options: go(5) },
      {
        id: 4,
        type: "TargetLevelView",
        contents: [],
        options: [
          { id: 1, description: "Some", meta: { targetLevel: "intermediate" }, followUpQuestion: 5 },
          {
            id: 2,
            description: "All",
            meta: { targetLevel: "advanced" },
            followUpQuestion: 5,
            requirements: {
              type: "and",
              rules: [
                { questionId: 2, optionId: 2 },
                { questionId: 5, optionId: 1 },
              ],
            },
          },
        ],
      },
      { id: 5, contents: [], options: both.map((option) => ({ ...option, followUpQuestion: 6 })) },
      { id: 6, contents: [says("TARGET_LEVEL", "FIRSTNAME")], options: go(7) },
      { id: 7, contents: [says("FIRSTNAME")], options: [home] },
    ],
    { progress: { type: "weight", end: 7 } },
  );
  expect(inWords(definition).filter((each) => !each.endsWith("nowhere"))).toEqual([
    "fault unbound 6 Block paragraph of question 6 says {FIRSTNAME}: the first name may not be known yet. 2.1~3.1~5.1",
    "fault unbound 6 Block paragraph of question 6 says {TARGET_LEVEL}: the target level may not be known yet. 2.2~3.1~5.1",
    "fault unbound 7 Block paragraph of question 7 says {FIRSTNAME}: the first name may not be known yet. 2.1~3.1~5.1~6.1",
    "6 0 5 5 5 33 1",
  ]);
});

it("progress stands still if only its end weighs something, unless a single screen comes before it", () => {
  const light = (id: number, next: number): QuestionInput => ({ id, weight: 0, contents: [], options: go(next) });
  const stands = (...questions: readonly QuestionInput[]) => {
    const end = { id: 4, contents: [], options: [home] };
    const findings = inWords(questionnaire([...questions, end], { progress: { type: "weight", end: 4 } }));
    return findings.filter((each) => each.includes("progressStandsStill"));
  };
  expect(stands(light(2, 4))).toEqual([]);
  expect(stands(light(2, 3), light(3, 4))).toEqual([
    "fault progressStandsStill Progress stands at 0 percent all along: the questions on the way weigh nothing. nowhere",
  ]);
});

it("findings of one kind are presented in one line that names what they share", () => {
  const level = (id: number, next: number): QuestionInput => ({ id, type: "LevelQuestion", weight: 9, contents: [], options: go(next) });
  const ways = (...targets: readonly number[]) => targets.map((to, index) => ({ id: index + 1, description: "On", followUpQuestion: to }));
  const days = { type: "days" };
  const definition = questionnaire(
    [
      { id: 2, contents: [days], options: ways(3, 41, 80, 99) },
      { id: 3, contents: [days], options: ways(41, 80, 99) },
      level(41, 42),
      level(42, 43),
      level(43, 44),
      level(44, 80),
      { id: 80, contents: [{ type: "payment" }], options: [home] },
      { id: 81, contents: [], options: [home] },
      { id: 82, contents: [], options: [home] },
    ],
    {
      userLevelMappings: [
        { first: 43, last: 44, userLevel: "basic" },
        { first: 43, last: 44, userLevel: "advanced" },
      ],
      levelQuestionRules: [],
      lastLevelQuestionFollowUpQuestion: 80,
    },
  );
  const { findings } = check(definition, { blockNeeds: ({ type }) => (type === "days" ? ["days"] : []) });
  const joined = presentFindings(findings).filter(({ joins }) => joins !== undefined);
  expect(joined.map(({ message }) => message)).toEqual([
    "Question 99 does not exist. Links to it: option 4 of question 2, option 3 of question 3.",
    "No level is mapped to: level question 41, level question 42.",
    "2 levels are mapped to: level question 43, level question 44.",
    "Never reached: question 81, question 82.",
    "The days may not be known yet: Block days of question 2, Block days of question 3.",
    "Progress would decrease, and the bar does not move: from question 2 to 41 by 21.8 percent, from question 3 to 41 by 38.5 percent.",
  ]);
});
