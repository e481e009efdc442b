import { questionnaire, schedules, smallQuestions } from "#test/questionnaires.ts";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { check, type Finding, type FindingKind, findingKinds, type Need, type Surroundings } from "./check.ts";
import { type CompiledQuestionnaire, compile } from "./compile.ts";
import type { ContentItem, OptionInput, Questionnaire, QuestionInput, QuestionnaireInput } from "./definition.ts";
import { questionId } from "../marks.ts";
import { startsOf } from "./explore.ts";
import { visibleContents, visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";
import { step } from "./step.ts";
import { textSchema } from "../textSchema.ts";

const go = (followUpQuestion: number): OptionInput[] => [{ id: 1, description: "Continue", followUpQuestion }];

/** The small questionnaire up to payment, with blocks and placeholders that need earlier answers. */
const soundQuestions: readonly QuestionInput[] = smallQuestions.flatMap((question): readonly QuestionInput[] => {
  switch (question.id) {
    case 3:
      return [{ ...question, followUps: [{ requirements: { rules: [{ questionId: 2, optionId: 2 }] }, followUpQuestion: 4 }] }];
    case 56:
      return [
        { ...question, options: question.options.map((option) => ({ ...option, followUpQuestion: 57 })) },
        {
          id: 57,
          contents: [
            { type: "programPromise" },
            { type: "title", text: ["To ", ["arg", "TARGET_LEVEL"], " from ", ["arg", "INITIAL_LEVEL"]] },
          ],
          options: go(60),
        },
      ];
    case 61:
      return [
        { ...question, options: go(62) },
        {
          id: 62,
          contents: [
            { type: "daySelectionConfirm", text: [["arg", "DAY_NAMES"]] },
            { type: "scheduleSummary", image: "calendar" },
          ],
          options: [...go(67), { id: 2, type: "ToPrevious", description: "Other days" }],
          followUps: [{ requirements: { type: "and", rules: [{ schedule: 3 }, { days: "on" }] }, followUpQuestion: 63 }],
        },
        {
          id: 63,
          contents: [{ type: "paragraph", requirements: { rules: [{ schedule: 3 }] }, text: "Fast!" }],
          options: go(67),
        },
      ];
    case 73:
      return [
        { ...question, contents: [{ type: "preparingProgramSimple", text: ["For ", ["arg", "FIRSTNAME"], " at ", ["arg", "EMAIL"]] }] },
      ];
    case 80:
      return [
        {
          id: 80,
          contents: [{ type: "price" }],
          options: [...go(82), { id: 2, description: "I have doubts", followUpQuestion: 81, requirements: { rules: [{ days: "on" }] } }],
        },
        {
          id: 81,
          contents: [],
          options: [
            { id: 1, type: "ToPrevious", description: "Back" },
            { id: 2, type: "ToHomePage", description: "Later" },
          ],
        },
        {
          id: 82,
          contents: [{ type: "payment" }, { type: "paddle" }],
          options: [{ id: 1, type: "ToPrevious", description: "Another plan" }],
        },
      ];
    default:
      return [question];
  }
});
const soundChanges: Partial<QuestionnaireInput> = {
  progress: { type: "weight", end: 82 },
  coupon: { code: "HALF" },
  schedules: schedules.map((schedule) => (schedule.id === 1 ? { ...schedule, followUpQuestion: 61 } : schedule)),
  productConfigurations: [
    {
      productType: "subscription",
      productPlan: "3M",
      selectionTexts: { header: [["arg", "ME_FEE"]] },
      paymentTexts: { paymentHeader: "Yours" },
    },
  ],
};
const sound = (questions: readonly QuestionInput[] = soundQuestions, changes: Partial<QuestionnaireInput> = {}) =>
  questionnaire(questions, { ...soundChanges, ...changes });

const isHeading = ({ type }: ContentItem) => type === "title";
const headed: readonly QuestionInput[] = soundQuestions.map((question) =>
  question.contents.some(isHeading) ? question : { ...question, contents: [{ type: "title", text: "Hola" }, ...question.contents] },
);

const blockNeeds: Readonly<Record<string, readonly Need[]>> = {
  programPromise: ["level", "targetLevel"],
  daySelectionConfirm: ["days"],
  scheduleSummary: ["schedule"],
  price: ["product"],
  payment: ["product"],
  paddle: ["product", "signup"],
};
const surroundings: Surroundings = {
  blockNeeds: (item) => blockNeeds[item.type] ?? [],
  blockPlaceholders: (item) => (item.type === "daySelection" ? ["LEFT"] : []),
  hasPicture: (name) => name === "calendar",
  hasVideo: (filename) => filename === "hello",
  hasProduct: (_, plan) => plan === "3M",
  hasCoupon: (code) => code === "HALF",
};
const faults = (definition: Questionnaire, around = surroundings) =>
  check(definition, around).findings.filter((finding) => finding.severity === "fault");

/** Changes to the sound questions. */
const edit = (id: number, change: (question: QuestionInput) => Partial<QuestionInput>) =>
  soundQuestions.map((question) => (question.id === id ? { ...question, ...change(question) } : question));
const without = (...ids: readonly number[]) => soundQuestions.filter((question) => !ids.includes(question.id));
const show = (id: number, ...items: readonly ContentItem[]) => edit(id, ({ contents }) => ({ contents: [...contents, ...items] }));
const lead = (id: number, to: number) =>
  edit(id, ({ options }) => ({
    options: options.map((option) => (option.followUpQuestion === undefined ? option : { ...option, followUpQuestion: to })),
  }));
const options = (id: number, ...list: readonly OptionInput[]) => edit(id, () => ({ options: [...list] }));
const branch = (id: number, ...followUps: NonNullable<QuestionInput["followUps"]>) =>
  edit(id, (question) => ({ followUps: [...(question.followUps ?? []), ...followUps] }));
const says = (name: string): ContentItem => ({ type: "paragraph", text: ["Dear ", ["tag", "b", [["arg", name]]]] });
const rule = (...rules: NonNullable<ContentItem["requirements"]>["rules"]) => ({ requirements: { rules } });

interface Seed {
  readonly name: string;
  readonly definition: () => Questionnaire;
  /** Additions to the usual surroundings. */
  readonly around?: Partial<Surroundings>;
  readonly kind: FindingKind;
  readonly question?: number;
  /** All expected findings (`inWords`). */
  readonly finds: readonly string[];
}
const seeds: readonly Seed[] = [
  // 1: paths
  {
    name: "a question that nothing leads to",
    definition: () => sound([...soundQuestions, { id: 83, contents: [], options: go(82) }]),
    kind: "unreachable",
    question: 83,
    finds: ["unreachable 83: Nothing leads to question 83."],
  },
  {
    name: "a question behind a country rule that never holds",
    definition: () =>
      sound(
        edit(3, () => ({
          followUps: [{ requirements: { type: "and", rules: [{ countryIs: "BR" }, { countryIsNot: "BR" }] }, followUpQuestion: 4 }],
        })),
      ),
    kind: "unreachable",
    question: 4,
    finds: [
      "unreachable 4: Question 4 is never reached: the links to it from 3 are never taken.",
      "neverHolds 3: Follow-up 1 of question 3 (to 4) is never taken: its requirements never hold. (new, MX es-419 android: 2.1)",
    ],
  },
  {
    name: "a question skipped by a wrong link",
    definition: () => sound(lead(57, 61)),
    kind: "unreachable",
    question: 60,
    finds: [
      "unreachable 60: Nothing leads to question 60.",
      "unreachable 63: Question 63 is never reached: the links to it from 62 are never taken.",
      "neverHolds 62: Follow-up 1 of question 62 (to 63) is never taken: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~61.1~d01234)",
      "unbound 62: Block scheduleSummary of question 62: the study schedule may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~61.1~d01234)",
    ],
  },
  {
    name: "level questions cut short",
    definition: () => sound(lead(42, 55)),
    kind: "unreachable",
    question: 43,
    finds: [
      "unreachable 43: Nothing leads to question 43.",
      "unreachable 44: Question 44 is never reached: the links to it from 43 are never taken.",
      "unreachable 54: Question 54 is never reached: the links to it from 44 are never taken.",
      "levelRuleNeverFires: The level rule of 1 No and 2 Maybe never applies.",
    ],
  },
  {
    name: "a question without options",
    definition: () => sound(options(55)),
    kind: "deadEnd",
    question: 55,
    finds: [
      "unreachable 56: Nothing leads to question 56.",
      "unreachable 57: Question 57 is never reached: the links to it from 56 are never taken.",
      "unreachable 60: Question 60 is never reached: the links to it from 57 are never taken.",
      "unreachable 61: Question 61 is never reached: the links to it from 60 are never taken.",
      "unreachable 62: Question 62 is never reached: the links to it from 61 are never taken.",
      "unreachable 63: Question 63 is never reached: the links to it from 62 are never taken.",
      "unreachable 67: Question 67 is never reached: the links to it from 62, 63 are never taken.",
      "unreachable 68: Question 68 is never reached: the links to it from 67 are never taken.",
      "unreachable 69: Question 69 is never reached: the links to it from 68 are never taken.",
      "unreachable 73: Question 73 is never reached: the links to it from 69 are never taken.",
      "unreachable 79: Question 79 is never reached: the links to it from 73 are never taken.",
      "unreachable 80: Question 80 is never reached: the links to it from 79 are never taken.",
      "unreachable 81: Question 81 is never reached: the links to it from 80 are never taken.",
      "unreachable 82: Question 82 is never reached: the links to it from 80 are never taken.",
      "noProgressEnd: Progress ends at question 82, which is never reached.",
      "deadEnd 55: Question 55 cannot be left: no option shows. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "options that show in one country only",
    definition: () => sound(options(57, { id: 1, description: "On", followUpQuestion: 60, ...rule({ countryIs: "BR" }) })),
    kind: "deadEnd",
    question: 57,
    finds: ["deadEnd 57: Question 57 cannot be left: no option shows. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)"],
  },
  {
    name: "options that leave out a platform",
    definition: () =>
      sound(options(79, { id: 1, description: "On", followUpQuestion: 80, ...rule({ platform: "android" }, { platform: "apple" }) })),
    kind: "deadEnd",
    question: 79,
    finds: [
      "deadEnd 79: Question 79 cannot be left: no option shows. (new, MX es-419 other: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~s1~d01234)",
    ],
  },
  {
    name: "options that leave out one schedule",
    definition: () => sound(options(67, { id: 1, description: "On", followUpQuestion: 68, ...rule({ schedule: 1 }, { schedule: 2 }) })),
    kind: "deadEnd",
    question: 67,
    finds: [
      "deadEnd 67: Question 67 cannot be left: no option shows. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~s3~d01234)",
    ],
  },
  {
    name: "options that leave out a level",
    definition: () =>
      sound(options(57, { id: 1, description: "On", followUpQuestion: 60, ...rule({ lastLevelQuestion: 42 }, { lastLevelQuestion: 43 }) })),
    kind: "deadEnd",
    question: 57,
    finds: [
      "deadEnd 57: Question 57 cannot be left: no option shows. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1~44.1~54.1~55.1~56.1)",
    ],
  },
  {
    name: "a screen that only leads to itself",
    definition: () => sound(options(63, { id: 1, description: "Again", followUpQuestion: 63 })),
    kind: "trapped",
    question: 63,
    finds: [
      "trapped 63: No path leads from question 63 to the payment. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
    ],
  },
  {
    name: "a cycle without an exit",
    definition: () => sound([...edit(63, () => ({ options: go(64) })), { id: 64, contents: [], options: go(63) }]),
    kind: "trapped",
    question: 64,
    finds: [
      "trapped 64: No path leads from question 64 to the payment. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~s3~d01234)",
    ],
  },
  {
    name: "a branch that only leads home",
    definition: () => sound(options(4, { id: 1, type: "ToHomePage", description: "Home" })),
    kind: "trapped",
    question: 4,
    finds: ["trapped 4: No path leads from question 4 to the payment. (new, MX es-419 android: 2.2~3.1)"],
  },
  {
    name: "payment before the account",
    definition: () => sound(lead(62, 73)),
    kind: "paymentBeforeSignup",
    question: 82,
    finds: [
      "paymentBeforeSignup 82: Question 82 asks for payment before the visitor has signed up. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 73: Block preparingProgramSimple of question 73 says {FIRSTNAME}: the first name may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s1~d01234)",
      "unbound 73: Block preparingProgramSimple of question 73 says {EMAIL}: the e-mail address may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s1~d01234)",
      "unbound 80: Block price of question 80: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~s1~d01234)",
      "unbound 80: Block price of question 80 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~s1~d01234)",
      "unbound 82: Block payment of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block payment of question 82 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block paddle of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block paddle of question 82: the account may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~73.1~79.1~80.1~s1~d01234)",
      "progressStepsBack 62: From question 62 to 63 progress would decrease by 9.4 percent; the bar does not move. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s3~d01234)",
    ],
  },
  {
    name: "payment before the account in one branch",
    definition: () => sound(lead(63, 80)),
    kind: "paymentBeforeSignup",
    question: 82,
    finds: [
      "paymentBeforeSignup 82: Question 82 asks for payment before the visitor has signed up. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~80.1~s3~d01234)",
      "unbound 80: Block price of question 80: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~s3~d01234)",
      "unbound 80: Block price of question 80 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~s3~d01234)",
      "unbound 82: Block payment of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~80.1~s3~d01234)",
      "unbound 82: Block payment of question 82 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~80.1~s3~d01234)",
      "unbound 82: Block paddle of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~80.1~s3~d01234)",
      "unbound 82: Block paddle of question 82: the account may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~63.1~80.1~s3~d01234)",
      "progressStepsBack 62: From question 62 to 67 progress would decrease by 9.4 percent; the bar does not move. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1~d01234)",
      "progressStepsBack 62: From question 62 to 69 progress would decrease by 0.7 percent; the bar does not move. (signedUp, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1~d01234)",
    ],
  },
  {
    name: "payment without the program view",
    definition: () => sound(branch(73, { ...rule({ countryIs: "CL" }), followUpQuestion: 82 })),
    kind: "paymentBeforeProgramView",
    question: 82,
    finds: [
      "paymentBeforeProgramView 82: Question 82 asks for payment before the program view (80). (new, CL es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~s1~d01234)",
      "progressStepsBack 73: From question 73 to 79 progress would decrease by 3.9 percent; the bar does not move. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~s1~d01234)",
    ],
  },
  {
    name: "no payment at all",
    definition: () => sound(edit(82, () => ({ contents: [] }))),
    kind: "noPayment",
    finds: ["noPayment: No question holds a payment block."],
  },
  {
    name: "no password asked",
    definition: () => sound(edit(68, () => ({ contents: [] }))),
    kind: "noSignup",
    finds: [
      "noSignup: No SignupView holds a signupPassword block.",
      "paymentBeforeSignup 82: Question 82 asks for payment before the visitor has signed up. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 80: Block price of question 80: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~s1~d01234)",
      "unbound 80: Block price of question 80 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~s1~d01234)",
      "unbound 82: Block payment of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block payment of question 82 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block paddle of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
      "unbound 82: Block paddle of question 82: the account may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
    ],
  },
  // 2: rules
  {
    name: "a rule on an option that does not exist",
    definition: () => sound(show(4, { type: "paragraph", text: "x", ...rule({ questionId: 2, optionId: 9 }) })),
    kind: "neverHolds",
    question: 4,
    finds: [
      "neverHolds 4: Block 1 (paragraph) of question 4 never shows: its requirements never hold (question 2 has no option 9). (new, MX es-419 android: 2.2~3.1)",
    ],
  },
  {
    name: "a rule on a question that does not exist",
    definition: () => sound(show(55, { type: "paragraph", text: "x", ...rule({ questionId: 99 }) })),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Block 1 (paragraph) of question 55 never shows: its requirements never hold (there is no question 99). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a rule on a later question",
    definition: () => sound(show(55, { type: "paragraph", text: "x", ...rule({ questionId: 61 }) })),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Block 1 (paragraph) of question 55 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a rule on a schedule before it is chosen",
    definition: () => sound(show(57, { type: "paragraph", text: "x", ...rule({ schedule: 2 }) })),
    kind: "neverHolds",
    question: 57,
    finds: [
      "neverHolds 57: Block 3 (paragraph) of question 57 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a rule on days before they are chosen",
    definition: () => sound(show(57, { type: "paragraph", text: "x", ...rule({ days: "on" }) })),
    kind: "neverHolds",
    question: 57,
    finds: [
      "neverHolds 57: Block 3 (paragraph) of question 57 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a rule on a schedule that does not exist",
    definition: () => sound(show(62, { type: "paragraph", text: "x", ...rule({ schedule: 7 }) })),
    kind: "neverHolds",
    question: 62,
    finds: [
      "neverHolds 62: Block 3 (paragraph) of question 62 never shows: its requirements never hold (there is no study schedule 7). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1~d01234)",
    ],
  },
  {
    name: "two answers to one question required at once",
    definition: () =>
      sound(
        show(55, {
          type: "paragraph",
          text: "x",
          requirements: {
            type: "and",
            rules: [
              { questionId: 2, optionId: 1 },
              { questionId: 2, optionId: 2 },
            ],
          },
        }),
      ),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Block 1 (paragraph) of question 55 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a rule on a level question that is another question",
    definition: () => sound(show(55, { type: "paragraph", text: "x", ...rule({ lastLevelQuestion: 55 }) })),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Block 1 (paragraph) of question 55 never shows: its requirements never hold (question 55 is no level question). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "an option that never shows",
    definition: () =>
      sound(
        edit(55, () => ({
          options: [...go(56), { id: 2, description: "Never", followUpQuestion: 57, ...rule({ questionId: 4, optionId: 2 }) }],
        })),
      ),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Option 2 of question 55 never shows: its requirements never hold (question 4 has no option 2). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a rule that never holds among others that do",
    definition: () =>
      sound(show(55, { type: "paragraph", text: "x", ...rule({ questionId: 2, optionId: 1 }, { questionId: 2, optionId: 8 }) })),
    kind: "deadRule",
    question: 55,
    finds: [
      'deadRule 55: Block 1 (paragraph) of question 55 has a rule that never holds: {"questionId":2,"optionId":8} (question 2 has no option 8). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)',
    ],
  },
  {
    name: "a rule that never holds in a group within a group",
    definition: () =>
      sound(
        show(55, {
          type: "paragraph",
          text: "x",
          ...rule({ questionId: 2, optionId: 1 }, { type: "and", rules: [{ questionId: 3 }, { schedule: 1 }] }),
        }),
      ),
    kind: "deadRule",
    question: 55,
    finds: [
      'deadRule 55: Block 1 (paragraph) of question 55 has a rule that never holds: {"schedule":1}. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)',
    ],
  },
  {
    name: "a follow-up after one that always holds",
    definition: () => sound(branch(55, { followUpQuestion: 56 }, { ...rule({ countryIs: "MX" }), followUpQuestion: 57 })),
    kind: "shadowed",
    question: 55,
    finds: [
      "shadowed 55: Follow-up 2 of question 55 (to 57) is never taken: an earlier follow-up always applies first. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a follow-up after a more general one",
    definition: () =>
      sound(
        branch(55, { ...rule({ countryIs: ["BR", "MX"] }), followUpQuestion: 57 }, { ...rule({ countryIs: "BR" }), followUpQuestion: 60 }),
      ),
    kind: "shadowed",
    question: 55,
    finds: [
      "shadowed 55: Follow-up 2 of question 55 (to 60) is never taken: an earlier follow-up always applies first. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
      "unbound 57: Block programPromise of question 57: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1)",
      "unbound 57: Block title of question 57 says {TARGET_LEVEL}: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1)",
    ],
  },
  {
    name: "a follow-up of the last level question",
    definition: () => sound(branch(44, { ...rule({ countryIs: "BR" }), followUpQuestion: 53 })),
    kind: "shadowed",
    question: 44,
    finds: [
      "shadowed 44: Follow-up 1 of question 44 (to 53) is never taken: the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
    ],
  },
  {
    name: "a follow-up whose rule never holds",
    definition: () => sound(branch(55, { ...rule({ questionId: 60 }), followUpQuestion: 57 })),
    kind: "neverHolds",
    question: 55,
    finds: [
      "neverHolds 55: Follow-up 1 of question 55 (to 57) is never taken: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a level rule after a more general one",
    definition: () =>
      sound(soundQuestions, {
        levelQuestionRules: [
          { no: 1, maybe: 0, followUpQuestion: 53 },
          { no: 2, maybe: 0, followUpQuestion: 53 },
        ],
      }),
    kind: "levelRuleNeverFires",
    finds: ["levelRuleNeverFires: The level rule of 2 No and 0 Maybe never applies."],
  },
  {
    name: "a level rule with more answers than level questions",
    definition: () =>
      sound(soundQuestions, {
        levelQuestionRules: [
          { no: 2, maybe: 0, followUpQuestion: 53 },
          { no: 0, maybe: 9, followUpQuestion: 53 },
        ],
      }),
    kind: "levelRuleNeverFires",
    finds: ["levelRuleNeverFires: The level rule of 0 No and 9 Maybe never applies."],
  },
  {
    name: "a way back on the last level question",
    definition: () =>
      sound(edit(44, (question) => ({ options: [...question.options, { id: 4, type: "ToPrevious", description: "Back" }] }))),
    kind: "ignoredOption",
    question: 44,
    finds: [
      "ignoredOption 44: Option 4 of question 44: its type has no effect, because the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
    ],
  },
  {
    name: "another follow-up of the last level question",
    definition: () => sound(lead(44, 53)),
    kind: "ignoredOption",
    question: 44,
    finds: [
      "ignoredOption 44: Option 1 of question 44 names question 53, but the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
      "ignoredOption 44: Option 2 of question 44 names question 53, but the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
      "ignoredOption 44: Option 3 of question 44 names question 53, but the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
    ],
  },
  {
    name: "a way back from the first question",
    definition: () =>
      sound(edit(2, (question) => ({ options: [...question.options, { id: 4, type: "ToPrevious", description: "Back" }] }))),
    kind: "noHistory",
    question: 2,
    finds: ["noHistory 2: Question 2, option 4: No history to go backwards! (question 2) (new, MX es-419 android: )"],
  },
  // 3: the errors of the specification
  {
    name: "no initial question",
    definition: () => sound(soundQuestions, { initialQuestion: 1 }),
    kind: "noInitialQuestion",
    finds: ["noInitialQuestion: The initial question 1 does not exist."],
  },
  {
    name: "no embedded question",
    definition: () => sound(without(2), { initialQuestion: 3 }),
    kind: "noEmbeddedQuestion",
    finds: [
      "noEmbeddedQuestion: Question 2, which is embedded on the home page, does not exist or has no options.",
      "unreachable 4: Question 4 is never reached: the links to it from 3 are never taken.",
      "noHistory 3: Question 3, option 2: No history to go backwards! (question 3) (new, MX es-419 android: )",
      "neverHolds 3: Follow-up 1 of question 3 (to 4) is never taken: its requirements never hold (there is no question 2). (new, MX es-419 android: )",
    ],
  },
  {
    name: "no InitialLevelView",
    definition: () =>
      sound(
        edit(55, () => ({ type: undefined })),
        { userLevelAlgorithm: "InitialLevel" },
      ),
    kind: "noInitialLevelView",
    finds: [
      "noInitialLevelView: The level comes from an InitialLevelView, and there is none.",
      "unbound 57: Block programPromise of question 57: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block title of question 57 says {INITIAL_LEVEL}: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "no PreparingProgram",
    definition: () => sound(edit(73, () => ({ type: undefined }))),
    kind: "noPreparingProgram",
    finds: ["noPreparingProgram: There is no PreparingProgram question."],
  },
  {
    name: "no program view",
    definition: () =>
      sound(soundQuestions.map((question) => (question.id === 73 || question.id === 79 ? { ...question, type: undefined } : question))),
    kind: "noThankYouView",
    finds: [
      "noPreparingProgram: There is no PreparingProgram question.",
      "noThankYouView: Neither a ThankYouView nor a PreparingProgram leads to a program view.",
      "paymentBeforeProgramView 82: Question 82 asks for payment before the program view (). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~69.1~73.1~79.1~80.1~s1~d01234)",
    ],
  },
  {
    name: "an InitialLevelView whose options carry no level",
    definition: () => sound(soundQuestions, { userLevelAlgorithm: "InitialLevel" }),
    kind: "noUserLevelOption",
    question: 55,
    finds: [
      "noUserLevelOption 55: Option 1 of the InitialLevelView 55 carries no userLevel. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
      "unbound 57: Block programPromise of question 57: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block title of question 57 says {INITIAL_LEVEL}: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a target that carries no level",
    definition: () =>
      sound(edit(56, (question) => ({ options: [...question.options, { id: 3, description: "Any", followUpQuestion: 57 }] }))),
    kind: "noTargetLevelOption",
    question: 56,
    finds: [
      "noTargetLevelOption 56: Option 3 of the TargetLevelView 56 carries no targetLevel. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1)",
      "unbound 57: Block programPromise of question 57: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.3)",
      "unbound 57: Block title of question 57 says {TARGET_LEVEL}: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.3)",
    ],
  },
  {
    name: "an option that leads nowhere",
    definition: () => sound(options(57, { id: 1, description: "On", followUpQuestion: 60 }, { id: 2, description: "Nowhere" })),
    kind: "noFollowUpId",
    question: 57,
    finds: [
      "noFollowUpId 57: Question 57, option 2: No followUpId found! (question 57, option 2) (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a follow-up for some visitors and none for the others",
    definition: () =>
      sound(
        edit(4, () => ({
          options: [{ id: 1, description: "On" }],
          followUps: [{ ...rule({ countryIs: "MX" }), followUpQuestion: 41 }],
        })),
      ),
    kind: "noFollowUpId",
    question: 4,
    finds: ["noFollowUpId 4: Question 4, option 1: No followUpId found! (question 4, option 1) (new, DE es-419 android: 2.2~3.1)"],
  },
  {
    name: "a link to a question that does not exist",
    definition: () => sound(lead(63, 64)),
    kind: "unknownQuestion",
    question: 63,
    finds: [
      "unknownQuestion 63: Option 1 of question 63 leads to question 64, which does not exist.",
      "unknownQuestion 63: Question 63, option 1: No such question! (question 64) (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
    ],
  },
  {
    name: "a level rule to a question that does not exist",
    definition: () => sound(without(53)),
    kind: "unknownQuestion",
    finds: [
      "unknownQuestion: The level rule of 2 No and 0 Maybe leads to question 53, which does not exist.",
      "unknownQuestion: The level rule of 1 No and 2 Maybe leads to question 53, which does not exist.",
      "unknownQuestion 42: Question 42, option 3: No such question! (question 53) (new, MX es-419 android: 2.1~3.1~41.3)",
      "unknownQuestion 43: Question 43, option 3: No such question! (question 53) (new, MX es-419 android: 2.1~3.1~41.1~42.3)",
    ],
  },
  {
    name: "a shortcut to a question that does not exist",
    definition: () => sound(soundQuestions, { shortcutQuestion: 99 }),
    kind: "unknownQuestion",
    finds: ["unknownQuestion: The shortcut leads to question 99, which does not exist."],
  },
  {
    name: "a block that names a question that does not exist",
    definition: () => sound(show(62, { type: "planByMail", question: 99, text: "By mail" }, { type: "unknown", question: 98 })),
    around: { blockSchema: (type) => (type === "planByMail" ? v.object({ question: questionId, text: textSchema }) : undefined) },
    kind: "unknownQuestion",
    question: 62,
    finds: ["unknownQuestion 62: Block planByMail of question 62 leads to question 99, which does not exist."],
  },
  {
    name: "a level question mapped to no level",
    definition: () =>
      sound(soundQuestions, {
        userLevelMappings: [
          { first: 41, last: 42, userLevel: "beginner" },
          { first: 44, last: 44, userLevel: "basic" },
        ],
      }),
    kind: "unmappedLevel",
    question: 43,
    finds: [
      "unmappedLevel 43: Level question 43 is mapped to no level.",
      "unbound 57: Block programPromise of question 57: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.1~42.3~43.3~53.1~55.1~56.1)",
      "unbound 57: Block title of question 57 says {INITIAL_LEVEL}: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.1~42.3~43.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a level question mapped to two levels",
    definition: () =>
      sound(soundQuestions, {
        userLevelMappings: [
          { first: 41, last: 43, userLevel: "beginner" },
          { first: 43, last: 44, userLevel: "basic" },
        ],
      }),
    kind: "overlappingLevels",
    question: 43,
    finds: ["overlappingLevels 43: Level question 43 is mapped to 2 levels."],
  },
  {
    name: "two questions with one id",
    definition: () => sound([...soundQuestions, { id: 63, contents: [], options: go(67) }]),
    kind: "duplicateId",
    question: 63,
    finds: [
      "duplicateId 63: Two questions have the id 63.",
      "neverHolds 63: Block 1 (paragraph) of question 63 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
    ],
  },
  {
    name: "two options with one id",
    definition: () => sound(options(57, ...go(60), ...go(60))),
    kind: "duplicateId",
    question: 57,
    finds: ["duplicateId 57: Question 57 has two options with the id 1."],
  },
  {
    name: "two schedules with one id",
    definition: () => sound(soundQuestions, { schedules: [...schedules, ...schedules.slice(0, 1)] }),
    kind: "duplicateId",
    finds: ["duplicateId: Two study schedules have the id 1."],
  },
  // 4: data that must be known
  {
    name: "a question without a heading",
    definition: () => sound(headed.map((question) => (question.id === 57 ? { ...question, contents: [] } : question))),
    around: { isHeading },
    kind: "notOneHeading",
    question: 57,
    finds: ["notOneHeading 57: Question 57 shows no heading. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)"],
  },
  {
    name: "a heading that only some visitors see",
    definition: () =>
      sound(
        headed.map((question) =>
          question.id === 57 ? { ...question, contents: [{ type: "title", text: "Hola", ...rule({ countryIs: "BR" }) }] } : question,
        ),
      ),
    around: { isHeading },
    kind: "notOneHeading",
    question: 57,
    finds: ["notOneHeading 57: Question 57 shows no heading. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)"],
  },
  {
    name: "two headings",
    definition: () =>
      sound(
        headed.map((question) =>
          question.id === 63 ? { ...question, contents: [...question.contents, { type: "title", text: "Hola" }] } : question,
        ),
      ),
    around: { isHeading },
    kind: "notOneHeading",
    question: 63,
    finds: [
      "notOneHeading 63: Question 63 shows 2 headings. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
    ],
  },
  {
    name: "a summary before the schedule",
    definition: () => sound(show(57, { type: "scheduleSummary" })),
    kind: "unbound",
    question: 57,
    finds: [
      "unbound 57: Block scheduleSummary of question 57: the study schedule may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "the schedule's minutes on the page that asks for it",
    definition: () => sound(show(60, says("MINUTES_PER_SESSION"))),
    kind: "unbound",
    question: 60,
    finds: [
      "unbound 60: Block paragraph of question 60 says {MINUTES_PER_SESSION}: the study schedule may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1)",
    ],
  },
  {
    name: "confirmation of days before they are chosen",
    definition: () => sound(show(61, { type: "daySelectionConfirm" })),
    kind: "unbound",
    question: 61,
    finds: [
      "unbound 61: Block daySelectionConfirm of question 61: the days may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s1)",
    ],
  },
  {
    name: "the name before it is asked",
    definition: () => sound(show(61, says("FIRSTNAME"))),
    kind: "unbound",
    question: 61,
    finds: [
      "unbound 61: Block paragraph of question 61 says {FIRSTNAME}: the first name may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s1)",
    ],
  },
  {
    name: "the name after a path without its question",
    definition: () => sound(branch(68, { ...rule({ countryIs: "BR" }), followUpQuestion: 73 })),
    kind: "unbound",
    question: 73,
    finds: [
      "unbound 73: Block preparingProgramSimple of question 73 says {FIRSTNAME}: the first name may not be known yet. (new, BR es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~67.1~68.1~s1~d01234)",
    ],
  },
  {
    name: "the e-mail before it is asked",
    definition: () => sound(edit(57, () => ({ footnote: ["We write to ", ["arg", "EMAIL"]] }))),
    kind: "unbound",
    question: 57,
    finds: [
      "unbound 57: Question 57 says {EMAIL}: the e-mail address may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "the level before it is found",
    definition: () => sound(show(41, says("INITIAL_LEVEL"))),
    kind: "unbound",
    question: 41,
    finds: [
      "unbound 41: Block paragraph of question 41 says {INITIAL_LEVEL}: the level may not be known yet. (new, MX es-419 android: 2.1~3.1)",
    ],
  },
  {
    name: "the target in an option before it is chosen",
    definition: () => sound(options(55, { id: 1, description: ["To ", ["arg", "TARGET_LEVEL"]], followUpQuestion: 56 })),
    kind: "unbound",
    question: 55,
    finds: [
      "unbound 55: Option 1 of question 55 says {TARGET_LEVEL}: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
    ],
  },
  {
    name: "a price before the account",
    definition: () => sound(show(57, { type: "price" })),
    kind: "unbound",
    question: 57,
    finds: [
      "unbound 57: Block price of question 57: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block price of question 57 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "a fee in a plural before the account",
    definition: () => sound(show(57, { type: "paragraph", text: [["plural", "ME_MONTHS", 0, { other: [["count"]] }, false]] })),
    kind: "unbound",
    question: 57,
    finds: [
      "unbound 57: Block paragraph of question 57 says {ME_MONTHS}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
    ],
  },
  {
    name: "the name in an offer's text that shows too early",
    definition: () =>
      sound(show(63, { type: "price" }), {
        productConfigurations: [
          {
            productType: "subscription",
            productPlan: "3M",
            selectionTexts: { header: [["arg", "FIRSTNAME"]] },
            paymentTexts: { paymentHeader: "Yours" },
          },
        ],
      }),
    kind: "unbound",
    question: 63,
    finds: [
      "unbound 63: Block price of question 63: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
      "unbound 63: Block price of question 63 says {FIRSTNAME}: the first name may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~62.1~s3~d01234)",
    ],
  },
  {
    name: "a placeholder that does not exist",
    definition: () => sound(show(57, says("FIRST_NAME"))),
    kind: "unknownPlaceholder",
    question: 57,
    finds: ["unknownPlaceholder 57: Block paragraph of question 57 says {FIRST_NAME}, which nothing fills."],
  },
  // 6: progress
  {
    name: "an end of progress that does not exist",
    definition: () => sound(soundQuestions, { progress: { type: "weight", end: 99 } }),
    kind: "noProgressEnd",
    finds: ["noProgressEnd: Progress ends at question 99, which does not exist."],
  },
  {
    name: "weight 0 on every question",
    definition: () => sound(soundQuestions.map((question) => ({ ...question, weight: 0 }))),
    kind: "progressStandsStill",
    finds: ["progressStandsStill: Progress stands at 0 percent all along: the questions on the way weigh nothing."],
  },
  {
    name: "rules that hold separately but never together, in a group beside one that holds",
    definition: () =>
      sound(
        show(55, {
          type: "paragraph",
          text: "x",
          ...rule({ questionId: 3 }, { type: "and", rules: [{ countryIs: "BR" }, { countryIsNot: "BR" }] }),
        }),
      ),
    kind: "deadRule",
    question: 55,
    finds: [
      'deadRule 55: Block 1 (paragraph) of question 55 has rules that never hold together: {"countryIs":"BR"} and {"countryIsNot":"BR"}. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)',
    ],
  },
  {
    name: "an end of progress that is never reached",
    definition: () => sound([...soundQuestions, { id: 90, contents: [], options: [] }], { progress: { type: "weight", end: 90 } }),
    kind: "noProgressEnd",
    finds: ["unreachable 90: Nothing leads to question 90.", "noProgressEnd: Progress ends at question 90, which is never reached."],
  },
];

/** A finding as text: kind, question and message; for one with a path, also the visitor and the answers. */
function inWords({ kind, question, message, path, visitor, context }: Finding): string {
  const what = `${kind}${question === undefined ? "" : ` ${question}`}: ${message}`;
  return path === undefined ? what : `${what} (${visitor}, ${context?.country} ${context?.locale} ${context?.platform}: ${path})`;
}

/** Replays a finding's path with the engine, rejects answers that a visitor could not give, and returns the final state. */
function replay(compiled: CompiledQuestionnaire, { path = "", context, visitor = "new" }: Finding): State {
  if (context === undefined) throw new Error("a path without a context");
  let state: State = startsOf(compiled)[visitor];
  const schedule = /(?:^|~)s(\d+)/.exec(path)?.[1];
  const days = /(?:^|~)d([0-6]+)/.exec(path)?.[1];
  for (const segment of path.split("~").filter((each) => /^\d+\.\d+$/.test(each))) {
    const [questionId = 0, optionId = 0] = segment.split(".").map(Number);
    const question = compiled.question(questionId);
    if (question === undefined) throw new Error(`no question ${questionId}`);
    expect(state.currentQuestionId).toBe(questionId);
    const has = (type: string) => visibleContents(compiled, question, state, context).some((item) => item.type === type);
    if (has("studySchedule")) state = step(compiled, state, { type: "chooseSchedule", scheduleId: Number(schedule) }, context).state;
    if (has("daySelection")) state = step(compiled, state, { type: "chooseDays", days: [...(days ?? "")].map(Number) }, context).state;
    expect(visibleOptions(compiled, question, state, context).map((option) => option.id)).toContain(optionId);
    state = step(compiled, state, { type: "answer", questionId, optionId }, context).state;
  }
  return state;
}

/** The sound questionnaire with a fault of nearly every kind. Each must be found despite the others. */
function full(): Questionnaire {
  const never = (...rules: NonNullable<ContentItem["requirements"]>["rules"]): ContentItem => ({
    type: "paragraph",
    text: "x",
    ...rule(...rules),
  });
  const changes: Readonly<Record<number, (question: QuestionInput) => Partial<QuestionInput>>> = {
    4: () => ({ options: [{ id: 1, description: "On" }], followUps: [{ ...rule({ countryIs: "MX" }), followUpQuestion: 41 }] }),
    43: () => ({ weight: 9 }),
    44: ({ options: three }) => ({
      options: [...three, { id: 4, type: "ToPrevious", description: "Back" }, { id: 5, description: "There", followUpQuestion: 55 }],
      followUps: [{ ...rule({ countryIs: "BR" }), followUpQuestion: 53 }],
    }),
    55: () => ({
      contents: [never({ questionId: 2, optionId: 1 }, { type: "and", rules: [{ questionId: 3 }, { schedule: 1 }] })],
      followUps: [
        { ...rule({ countryIs: ["BR", "MX"] }), followUpQuestion: 56 },
        { ...rule({ countryIs: "BR" }), followUpQuestion: 57 },
      ],
    }),
    56: ({ options: two }) => ({ options: [...two, { id: 3, description: "Any", followUpQuestion: 57 }] }),
    57: ({ contents }) => ({
      contents: [
        ...contents,
        never({ questionId: 99 }),
        never({ questionId: 2, optionId: 9 }, { schedule: 7 }),
        never({ lastLevelQuestion: 55 }),
        never({ lastLevelQuestion: 41 }, { lastLevelQuestion: 42 }),
        { type: "price" },
        says("FIRST_NAME"),
      ],
      footnote: ["We write to ", ["arg", "EMAIL"]],
      options: [...go(60), ...go(60), { id: 3, description: "Nowhere" }, { id: 4, description: "Away", followUpQuestion: 999 }],
    }),
    61: ({ contents }) => ({ contents: [...contents, { type: "daySelectionConfirm" }] }),
    63: () => ({ options: go(63) }),
    67: () => ({ options: [{ id: 1, description: "On", followUpQuestion: 68, ...rule({ schedule: 1 }, { schedule: 2 }) }] }),
    68: () => ({ followUps: [{ ...rule({ countryIs: "BR" }), followUpQuestion: 73 }] }),
    73: () => ({ followUps: [{ ...rule({ countryIs: "BR" }), followUpQuestion: 82 }] }),
  };
  const changed = headed.map((question) => ({ ...question, ...changes[question.id]?.(question) }));
  return sound(
    [
      ...changed,
      { id: 83, contents: [], options: [{ id: 1, description: "On", followUpQuestion: 82 }] },
      { id: 61, contents: [], options: go(80) },
    ],
    {
      schedules: [...schedules.slice(0, 2), ...schedules.slice(1).map((schedule) => ({ ...schedule, followUpQuestion: 62 }))],
      shortcutQuestion: 99,
      levelQuestionRules: [
        { no: 2, maybe: 0, followUpQuestion: 53 },
        { no: 2, maybe: 1, followUpQuestion: 98 },
      ],
      userLevelMappings: [
        { first: 41, last: 42, userLevel: "beginner" },
        { first: 42, last: 42, userLevel: "basic" },
        { first: 44, last: 44, userLevel: "advanced" },
      ],
    },
  );
}

describe("the checker", () => {
  it("finds every fault in a version with many faults, and counts the reachable screens", () => {
    const { findings, statistics } = check(full(), { ...surroundings, isHeading, requiresConsent: (country) => country === "DE" });
    expect([...findings.map(inWords), ...Object.entries(statistics ?? {}).map(([name, value]) => `${name} ${value}`)]).toEqual([
      "duplicateId 61: Two questions have the id 61.",
      "duplicateId: Two study schedules have the id 2.",
      "duplicateId 57: Question 57 has two options with the id 1.",
      "unknownQuestion 57: Option 4 of question 57 leads to question 999, which does not exist.",
      "unknownQuestion: The shortcut leads to question 99, which does not exist.",
      "unknownQuestion: The level rule of 2 No and 1 Maybe leads to question 98, which does not exist.",
      "overlappingLevels 42: Level question 42 is mapped to 2 levels.",
      "unmappedLevel 43: Level question 43 is mapped to no level.",
      "unknownPlaceholder 57: Block paragraph of question 57 says {FIRST_NAME}, which nothing fills.",
      "unreachable 63: Question 63 is never reached: the links to it from 62, 63 are never taken.",
      "unreachable 68: Question 68 is never reached: the links to it from 67 are never taken.",
      "unreachable 81: Question 81 is never reached: the links to it from 80 are never taken.",
      "unreachable 83: Nothing leads to question 83.",
      "deadEnd 67: Question 67 cannot be left: no option shows. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~62.1~s3)",
      "paymentBeforeSignup 82: Question 82 asks for payment before the visitor has signed up. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~80.1~s1)",
      "paymentBeforeProgramView 82: Question 82 asks for payment before the program view (80). (signedUp, BR es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~62.1~73.1~s3)",
      "noTargetLevelOption 56: Option 3 of the TargetLevelView 56 carries no targetLevel. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1)",
      "noFollowUpId 57: Question 57, option 3: No followUpId found! (question 57, option 3) (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unknownQuestion 57: Question 57, option 4: No such question! (question 999) (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "noFollowUpId 4: Question 4, option 1: No followUpId found! (question 4, option 1) (new, DE es-419 android: 2.2~3.1)",
      "shadowed 44: Follow-up 1 of question 44 (to 53) is never taken: the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
      "ignoredOption 44: Option 4 of question 44: its type has no effect, because the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
      "ignoredOption 44: Option 5 of question 44 names question 55, but the last level question always leads to 54. (new, MX es-419 android: 2.1~3.1~41.1~42.1~43.1)",
      'deadRule 55: Block 1 (paragraph) of question 55 has a rule that never holds: {"schedule":1}. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)',
      "shadowed 55: Follow-up 2 of question 55 (to 57) is never taken: an earlier follow-up always applies first. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
      "neverHolds 57: Block 3 (paragraph) of question 57 never shows: its requirements never hold (there is no question 99). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "neverHolds 57: Block 4 (paragraph) of question 57 never shows: its requirements never hold (question 2 has no option 9; there is no study schedule 7). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "neverHolds 57: Block 5 (paragraph) of question 57 never shows: its requirements never hold (question 55 is no level question). (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "neverHolds 62: Follow-up 1 of question 62 (to 63) is never taken: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s3)",
      "neverHolds 67: Option 1 of question 67 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~62.1~s3)",
      "neverHolds 80: Option 2 of question 80 never shows: its requirements never hold. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1)",
      "levelRuleNeverFires: The level rule of 2 No and 1 Maybe never applies.",
      "unbound 57: Question 57 says {EMAIL}: the e-mail address may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block price of question 57: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block price of question 57 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1)",
      "unbound 57: Block programPromise of question 57: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.3)",
      "unbound 57: Block title of question 57 says {TARGET_LEVEL}: the target level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.3)",
      "unbound 57: Block programPromise of question 57: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.1~42.3~43.3~53.1~55.1~56.1)",
      "unbound 57: Block title of question 57 says {INITIAL_LEVEL}: the level may not be known yet. (new, MX es-419 android: 2.1~3.1~41.1~42.3~43.3~53.1~55.1~56.1)",
      "unbound 62: Block daySelectionConfirm of question 62: the days may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s3)",
      "unbound 62: Block daySelectionConfirm of question 62 says {DAY_NAMES}: the days may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s3)",
      "unbound 80: Block price of question 80: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1)",
      "unbound 80: Block price of question 80 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~s1)",
      "unbound 82: Block payment of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~80.1~s1)",
      "unbound 82: Block payment of question 82 says {ME_FEE}: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~80.1~s1)",
      "unbound 82: Block paddle of question 82: the product may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~80.1~s1)",
      "unbound 82: Block paddle of question 82: the account may not be known yet. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~61.1~80.1~s1)",
      "unbound 73: Block preparingProgramSimple of question 73 says {FIRSTNAME}: the first name may not be known yet. (signedUp, BR es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~62.1~s3)",
      "notOneHeading 55: Question 55 shows no heading. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1)",
      "notOneHeading 61: Question 61 shows no heading. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~s1)",
      "progressStepsBack 60: From question 60 to 62 progress would decrease by 1.8 percent; the bar does not move. (new, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~s3)",
      "progressStepsBack 73: From question 73 to 79 progress would decrease by 2.9 percent; the bar does not move. (signedUp, MX es-419 android: 2.1~3.1~41.3~42.3~53.1~55.1~56.1~57.1~60.1~62.1~69.1~s3)",
      "screens 26",
      "branches 2",
      "shortest 12",
      "longest 15",
      "expected 13.796296296296296",
      "situations 573",
      "contexts 3",
    ]);
  });

  it("finds nothing in a sound questionnaire", () => {
    expect(check(sound(), surroundings).findings).toEqual([]);
  });

  it("accepts rules that each hold for some visitors if together they cover everybody", () => {
    const some = show(
      63,
      { type: "paragraph", text: "x", ...rule({ requiresMarketingConsent: "on" }, { localeIs: "de-DE" }, { platform: "apple" }) },
      { type: "paragraph", text: "x", ...rule({ requiresMarketingConsent: "off" }, { countryIs: ["BR", "AR"] }) },
    );
    expect(check(sound(some), surroundings).findings).toEqual([]);
  });

  for (const { name, definition: make, around, kind, question, finds } of seeds) {
    it(`finds ${name}`, () => {
      const definition = make();
      const { findings } = check(definition, { ...surroundings, ...around });
      expect(findings.map(inWords)).toEqual(finds);
      expect(findings).toContainEqual(expect.objectContaining({ kind, question }));
      for (const finding of findings)
        if (finding.path !== undefined) expect(replay(compile(definition), finding).currentQuestionId).toBe(finding.question);
    });
  }

  it("has at least 40 seeded faults, of every kind that one version can have", () => {
    expect(seeds.length).toBeGreaterThanOrEqual(40);
    const between: readonly FindingKind[] = [
      "malformed",
      "unknownText",
      "missingText",
      "missingIcon",
      "emptyText",
      "differentPlaceholders",
      "differentStructure",
      "missingLocale",
      "missingPicture",
      "missingVideo",
      "missingProduct",
      "missingCoupon",
      "progressStepsBack",
      "manyScreens",
      "tooLarge",
      "authoring",
    ];
    expect(findingKinds.filter((kind) => !between.includes(kind) && !seeds.some((seed) => seed.kind === kind))).toEqual([]);
  });

  it("shows a path and the affected visitors for a fault that can be reached", () => {
    const [finding] = faults(sound(options(57, { id: 1, description: "On", followUpQuestion: 60, ...rule({ countryIs: "BR" }) })));
    expect(finding).toMatchObject({ kind: "deadEnd", question: 57, path: "2.1~3.1~41.3~42.3~53.1~55.1~56.1", context: { country: "MX" } });
  });

  it("says whom a fault affects, and nothing when it affects everybody", () => {
    const shown = (...rules: NonNullable<ContentItem["requirements"]>["rules"]) =>
      faults(sound(options(57, { id: 1, description: "On", followUpQuestion: 60, ...rule(...rules) }))).map(({ only }) => only);
    expect(shown({ platform: "android" }, { platform: "apple" })).toEqual(["on other platforms only"]);
    expect(shown({ countryIs: "BR" })).toEqual(["not in BR"]);
    expect(shown({ countryIsNot: "BR" })).toEqual(["in BR only"]);
    const stuck = faults(sound(options(57))).filter(({ kind }) => kind === "deadEnd");
    expect(stuck.map(({ only }) => only)).toEqual([undefined]);
    // The path to a rule that never holds is only an example.
    const never = rule({ type: "and", rules: [{ countryIs: "BR" }, { countryIsNot: "BR" }] });
    const hidden = faults(sound(show(57, { type: "paragraph", text: "x", ...never })));
    expect(hidden.map(({ kind, only }) => [kind, only])).toEqual([["neverHolds", undefined]]);
  });

  it("accepts a range of last level questions with one at which no visitor stops", () => {
    const ranged = show(55, { type: "paragraph", text: "x", ...rule({ lastLevelQuestion: 41 }, { lastLevelQuestion: 42 }) });
    expect(faults(sound(ranged))).toEqual([]);
  });

  it("derives consent from the country if the surroundings tell how", () => {
    const consent = options(79, {
      id: 1,
      description: "On",
      followUpQuestion: 80,
      ...rule({ requiresMarketingConsent: "off" }, { countryIs: "DE" }),
    });
    expect(faults(sound(consent)).map(({ kind }) => kind)).toContain("deadEnd");
    expect(
      check(sound(consent), { ...surroundings, requiresConsent: (country) => country === "DE" }).findings.filter(
        (finding) => finding.severity === "fault",
      ),
    ).toEqual([]);
  });

  it("lets the page that asks for the schedule mention it once it is chosen", () => {
    expect(faults(sound(show(60, { type: "scheduleSummary", ...rule({ schedule: 1 }, { schedule: 2 }, { schedule: 3 }) })))).toEqual([]);
  });

  it("explores a cycle from both of its entry questions", () => {
    // Through 6 the visitor reaches 7 before 8. Only on the longer path through 9 and 10 is 8 answered before 7.
    const circle = edit(4, () => ({
      options: [
        { id: 1, description: "Short", followUpQuestion: 7 },
        { id: 2, description: "Long", followUpQuestion: 9 },
      ],
    }));
    const paragraph = { type: "paragraph", text: "x", ...rule({ questionId: 8 }) };
    const definition = sound([
      ...circle,
      {
        id: 7,
        contents: [paragraph],
        options: [
          { id: 1, description: "Round", followUpQuestion: 8 },
          { id: 2, description: "On", followUpQuestion: 41 },
        ],
      },
      { id: 8, contents: [], options: go(7) },
      { id: 9, contents: [], options: go(10) },
      { id: 10, contents: [], options: go(11) },
      { id: 11, contents: [], options: go(8) },
    ]);
    expect(faults(definition)).toEqual([]);
  });

  it("keeps counting No and Maybe across screens between the level questions", () => {
    expect(faults(sound([...lead(41, 45), { id: 45, contents: [], options: go(42) }]))).toEqual([]);
  });

  it("notes where progress would decrease, and by how much", () => {
    const heavy = soundQuestions.map((question) => (question.id === 43 || question.id === 44 ? { ...question, weight: 9 } : question));
    const [note] = check(
      sound([...heavy.filter(({ id }) => id !== 54), { id: 54, contents: [], options: go(4) }]),
      surroundings,
    ).findings.filter((finding) => finding.kind === "progressStepsBack");
    expect(note).toMatchObject({ severity: "note", question: 54 });
    expect(note?.message).toMatch(/From question 54 to 4 progress would decrease by \d+\.\d percent/);
  });

  it("counts screens and branches, and the shortest, longest and expected path", () => {
    const { statistics } = check(sound(), surroundings);
    // 2 3 41 42 53 55 56 57 60 61 62 67 68 69 73 79 80 82, and with 4, all levels and 63.
    expect(statistics).toMatchObject({ screens: soundQuestions.length, branches: 3, shortest: 18, longest: 22 });
    expect(statistics?.expected).toBeGreaterThan(18);
    expect(statistics?.expected).toBeLessThan(22);
  });

  it("requires exactly one heading per question", () => {
    expect(faults(sound(headed), { ...surroundings, isHeading })).toEqual([]);
  });

  it("reports when there are too many paths to explore, and then proves nothing", () => {
    const about = (limit: number) => check(sound(), surroundings, limit).findings.filter(({ kind }) => kind === "tooLarge");
    expect(about(100).map(inWords)).toEqual(["tooLarge: There are too many paths to explore them all; nothing is proved."]);
    expect(about(10_000)).toEqual([]);
  });

  it("notes when there are more screens than 60", () => {
    const screens = (count: number) => {
      const more = Array.from({ length: count - soundQuestions.length }, (_, index) => 100 + index);
      const last = more.at(-1) ?? 60;
      return check(
        sound([...lead(57, 100), ...more.map((id) => ({ id, contents: [], options: go(id === last ? 60 : id + 1) }))]),
        surroundings,
      ).findings.flatMap(({ kind, message }) => (kind === "manyScreens" ? [message] : []));
    };
    expect(screens(60)).toEqual([]);
    expect(screens(61)).toEqual(["61 screens are more than 60."]);
  });

  it("reports the pages after the purchase neither as unreachable nor as dead ends, since they have their own routes", () => {
    expect(faults(sound([...soundQuestions, { id: 1004, contents: [], options: [] }]))).toEqual([]);
  });
});
