import { questionnaire, schedules } from "#test/questionnaires.ts";
import { expect, it } from "vitest";
import { check, type Surroundings } from "../check.ts";
import type { Questionnaire, QuestionInput } from "../definition.ts";

const go = (followUpQuestion: number) => [{ id: 1, description: "On", followUpQuestion }];
const home = { id: 9, type: "ToHomePage" as const, description: "Home" };
const back = { id: 8, type: "ToPrevious" as const, description: "Back" };
const says = (...names: readonly string[]) => ({ type: "paragraph", text: names.map((name) => ["arg", name]) });
const only = (...rules: NonNullable<QuestionInput["contents"][number]["requirements"]>["rules"]) => ({ requirements: { rules } });

/** All that the checker says, a way's answers with what lies on it; then the numbers of what can be walked. */
function inWords(definition: Questionnaire, surroundings?: Surroundings): readonly string[] {
  const { findings, statistics } = check(definition, surroundings);
  return [
    ...findings.map(({ kind, severity, question, message, path }) =>
      [severity === "note" ? "note:" : "", kind, question ?? "", message, path ?? "nowhere"].filter((each) => each !== "").join(" "),
    ),
    statistics === null ? "nothing walked" : Object.values(statistics).join(" "),
  ];
}

it("a questionnaire of one question lacks what the engine looks for", () => {
  const bare = questionnaire([{ id: 3, contents: [], options: [] }], {
    initialQuestion: 3,
    userLevelAlgorithm: "InitialLevel",
    progress: { type: "weight", end: 4 },
  });
  expect(inWords(bare)).toEqual([
    "noEmbeddedQuestion Question 2, which is embedded on the home page, does not exist or has no options. nowhere",
    "noInitialLevelView The level comes from an InitialLevelView, and there is none. nowhere",
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noProgressEnd Progress ends at question 4, which does not exist. nowhere",
    "noPayment No question holds a payment block. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "deadEnd 3 Question 3 cannot be left: no option shows.",
    "1 0 Infinity 0 NaN 3 1",
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
    "noInitialQuestion The initial question 1 does not exist. nowhere",
    "noEmbeddedQuestion Question 2, which is embedded on the home page, does not exist or has no options. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noProgressEnd Progress ends at question 80, which does not exist. nowhere",
    "noPayment No question holds a payment block. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "nothing walked",
  ]);
});

it("a questionnaire whose level is chosen wants it of each option that goes on, and one program view that exists", () => {
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
    "noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "6 0 6 6 6 53 1",
  ]);
  expect(inWords(chosen({ followUps: [{ ...only({ countryIs: "DE" }), followUpQuestion: 99 }] }))).toEqual([
    "unknownQuestion 6 Follow-up 1 of question 6 leads to question 99, which does not exist. nowhere",
    "noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "unknownQuestion 6 Question 6, option 1: No such question! (question 99) 2.1~3.1~4.1~5.1",
    "6 0 6 6 NaN 94 2",
  ]);
  expect(inWords(chosen({ options: [{ id: 1, description: "On", followUpQuestion: 98 }] }))).toEqual([
    "unknownQuestion 6 Option 1 of question 6 leads to question 98, which does not exist. nowhere",
    "unreachable 7 Nothing leads to question 7. nowhere",
    "noProgressEnd Progress ends at question 7, which is never reached. nowhere",
    "noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "unknownQuestion 6 Question 6, option 1: No such question! (question 98) 2.1~3.1~4.1~5.1",
    "6 0 Infinity 0 NaN 41 1",
  ]);
  expect(inWords(chosen({ type: undefined }))).toEqual([
    "noUserLevelOption 2 Option 1 of the InitialLevelView 2 carries no userLevel.",
    "noTargetLevelOption 3 Option 1 of the TargetLevelView 3 carries no targetLevel. 2.1",
    "6 0 6 6 6 53 1",
  ]);
});

it("links of every sort are looked at, those of levels where there are level questions", () => {
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
    "unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "unreachable 3 Question 3 is never reached: what could lead there from 2 never does. nowhere",
    "noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "2 0 Infinity 0 NaN 6 2",
  ]);
  const level: QuestionInput = {
    id: 4,
    type: "LevelQuestion",
    contents: [],
    options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 94 }, home],
  };
  expect(inWords(questionnaire([...questions, level], changes))).toEqual([
    "unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "unknownQuestion 4 Option 1 of question 4 leads to question 94, which does not exist. nowhere",
    "unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "unknownQuestion The level rule of 1 No and 0 Maybe leads to question 93, which does not exist. nowhere",
    "unknownQuestion The last level question leads to question 94, which does not exist. nowhere",
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "unmappedLevel 4 Level question 4 stands for no level. nowhere",
    "unreachable 3 Question 3 is never reached: what could lead there from 2 never does. nowhere",
    "unreachable 4 Nothing leads to question 4. nowhere",
    "noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "3 0 Infinity 0 NaN 6 2",
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
    "unknownQuestion 2 Follow-up 1 of question 2 leads to question 96, which does not exist. nowhere",
    "unknownQuestion Study schedule 1 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 2 leads to question 95, which does not exist. nowhere",
    "unknownQuestion Study schedule 3 leads to question 95, which does not exist. nowhere",
    "unknownQuestion The level rule of 1 No and 0 Maybe leads to question 93, which does not exist. nowhere",
    "unknownQuestion The last level question leads to question 94, which does not exist. nowhere",
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "unmappedLevel 4 Level question 4 stands for no level. nowhere",
    "unreachable 3 Question 3 is never reached: what could lead there from 2 never does. nowhere",
    "unreachable 4 Nothing leads to question 4. nowhere",
    "unreachable 998 Nothing leads to question 998. nowhere",
    "noProgressEnd Progress ends at question 3, which is never reached. nowhere",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 95) s1",
    "unknownQuestion 2 Question 2, option 1: No such question! (question 96) s1",
    "levelRuleNeverFires The level rule of 1 No and 0 Maybe never applies. nowhere",
    "5 0 Infinity 0 NaN 6 2",
  ]);
});

it("what blocks and texts need is known in time, or it is said which part of the page is too early", () => {
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
          { ...says("EMAIL"), ...only({ days: "on" }) },
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
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "unknownPlaceholder 2 Block own of question 2 says {OTHER}, which nothing fills. nowhere",
    "unknownPlaceholder 4 Block price of question 4 says {NOTHING}, which nothing fills. nowhere",
    "unknownPlaceholder 6 Block payment of question 6 says {NOTHING}, which nothing fills. nowhere",
    "paymentBeforeProgramView 6 Question 6 asks for payment before the program view (). 2.1~3.1~4.1~5.1~s1~d01234",
    "neverHolds 2 Block 7 (paragraph) of question 2 never shows: its requirements never hold.",
    "unbound 2 Block who of question 2, but the first name may not be known yet.",
    "unbound 2 Block who of question 2, but the e-mail address may not be known yet.",
    "unbound 2 Block who of question 2, but the account may not be known yet.",
    "unbound 2 Block when of question 2, but the study schedule may not be known yet.",
    "unbound 2 Block when of question 2, but the days may not be known yet.",
    "unbound 2 Block what of question 2, but the product may not be known yet.",
    "unbound 2 Block what of question 2, but the level may not be known yet.",
    "unbound 2 Block what of question 2, but the target level may not be known yet.",
    "unbound 2 Block paragraph of question 2 says {FIRSTNAME}, but the first name may not be known yet.",
    "unbound 2 Block paragraph of question 2 says {EMAIL}, but the e-mail address may not be known yet.",
    "unbound 2 Block paragraph of question 2 says {MINUTES}, but the study schedule may not be known yet.",
    "unbound 2 Block paragraph of question 2 says {DAY_NAMES}, but the days may not be known yet.",
    "unbound 2 Block paragraph of question 2 says {ME_FEE}, but the product may not be known yet.",
    "unbound 2 Option 1 of question 2 says {EMAIL}, but the e-mail address may not be known yet.",
    "unbound 3 Block studySchedule of question 3 says {DAY_NAMES}, but the days may not be known yet. 2.1",
    "unbound 3 Block paragraph of question 3 says {MINUTES}, but the study schedule may not be known yet. 2.1",
    "unbound 4 Block price of question 4 says {FIRSTNAME}, but the first name may not be known yet. 2.1~3.1~s1~d01234",
    "unbound 5 Block who of question 5, but the account may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "unbound 5 Block what of question 5, but the product may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "unbound 5 Block what of question 5, but the level may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "unbound 5 Block what of question 5, but the target level may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "unbound 5 Block paragraph of question 5 says {ME_FEE}, but the product may not be known yet. 2.1~3.1~4.1~s1~d01234",
    "unbound 6 Block what of question 6, but the level may not be known yet. 2.1~3.1~4.1~5.1~s1~d01234",
    "unbound 6 Block what of question 6, but the target level may not be known yet. 2.1~3.1~4.1~5.1~s1~d01234",
    "5 0 5 5 5 12 1",
  ]);
});

it("rules are told by what never comes true of them", () => {
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
          { type: "x", requirements: { type: "and", rules: [{ questionId: 2 }, { type: "or", rules: [{ questionId: 50 }] }] } },
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
    "noPreparingProgram There is no PreparingProgram question. nowhere",
    "noThankYouView Neither a ThankYouView nor a PreparingProgram leads to a program view. nowhere",
    "noSignup No SignupView holds a signupPassword block. nowhere",
    "paymentBeforeSignup 6 Question 6 asks for payment before the visitor has signed up. 2.1~41.3~43.1~54.1",
    "paymentBeforeProgramView 6 Question 6 asks for payment before the program view (). 2.1~41.3~43.1~54.1",
    "shadowed 2 Follow-up 2 of question 2 (to 42) is never taken: whenever it could be, an earlier one is.",
    "ignoredOption 43 Option 1 of question 43 names question 6, but the last level question always leads to 54. 2.1~41.3",
    "ignoredOption 43 Option 3 of question 43 names question 6, but the last level question always leads to 54. 2.1~41.3",
    "ignoredOption 43 Option 9 of question 43 cannot do what its type says: the last level question always leads to 54. 2.1~41.3",
    'deadRule 54 Block 2 (x) of question 54 has a rule that never holds: {"lastLevelQuestion":54} (question 54 is no level question). 2.1~41.3~43.1',
    'deadRule 54 Block 3 (x) of question 54 has a rule that never holds: {"countryIs":"MX","lastLevelQuestion":41}. 2.1~41.3~43.1',
    'deadRule 54 Block 4 (x) of question 54 has a rule that never holds: {"lastLevelQuestion":77} (question 77 is no level question). 2.1~41.3~43.1',
    'deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":2,"optionId":5} (question 2 has no option 5). 2.1~41.3~43.1',
    'deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":2,"optionId":9}. 2.1~41.3~43.1',
    'deadRule 54 Block 5 (x) of question 54 has a rule that never holds: {"questionId":50} (there is no question 50). 2.1~41.3~43.1',
    "neverHolds 54 Block 6 (x) of question 54 never shows: its requirements never hold (there is no question 50; there is no study schedule 9). 2.1~41.3~43.1",
    "neverHolds 54 Block 7 (x) of question 54 never shows: its requirements never hold (there is no question 50). 2.1~41.3~43.1",
    "neverHolds 54 Follow-up 1 of question 54 (to 6) is never taken: its requirements never hold. 2.1~41.3~43.1",
    "neverHolds 54 Follow-up 2 of question 54 (to 6) is never taken: its requirements never hold. 2.1~41.3~43.1",
    "neverHolds 6 Follow-up 1 of question 6 (to 54) is never taken: its requirements never hold. 2.1~41.3~43.1~54.1",
    "levelRuleNeverFires The level rule of 2 No and 0 Maybe never applies. nowhere",
    "6 0 5 6 5.5 48 2",
  ]);
});
