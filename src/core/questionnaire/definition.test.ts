import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { levels } from "#test/questionnaires.ts";
import { type QuestionnaireInput, questionnaireSchema } from "./definition.ts";

/** Every field in the specification, each with a different value (spec 000 §3, spec 001 §3). */
const complete = {
  id: "76",
  version: 3,
  theme: "HablaIngles",
  initialQuestion: 2,
  embeddedQuestion: 4,
  extraTrackingQuestion: 5,
  shortcutQuestion: 2,
  progress: { type: "weight", end: 2 },
  coupon: { code: "PARLANDO50" },
  userLevelAlgorithm: "InitialLevel",
  userLevelMappings: [{ first: 41, last: 43, userLevel: "advanced" }],
  lastLevelQuestionFollowUpQuestion: 55,
  levelQuestionRules: [{ no: 3, maybe: 1, followUpQuestion: 56 }],
  levels,
  schedules: [
    {
      id: 1,
      months: 9,
      name: "Calm",
      monthsText: "9 months",
      monthsTextBottom: "with breaks",
      practiseDaysPerWeek: 3,
      practiseDaysPerWeekText: "3 days",
      minutesPerSession: 15,
      minutesPerSessionText: "15 minutes",
      followUpQuestion: 2,
    },
  ],
  productConfigurations: [
    {
      productType: "onetime",
      productPlan: "6M",
      currency: "BRL",
      selectionTexts: { trial: "trial", header: "header", price: "price", footer: "footer" },
      paymentTexts: { paymentHeader: "header", typeText: "type", paymentFooter: "footer" },
      discounts: [{ currency: "BRL", percentage: 50, tag: "half" }],
    },
  ],
  questions: [
    {
      id: 2,
      weight: 2,
      type: "LevelQuestion",
      contents: [{ type: "title", text: "Why?", requirements: { type: "and", rules: [{ days: "on" }] } }],
      options: [
        {
          id: 1,
          type: "No",
          description: "No",
          buttonStyle: "link",
          requirements: {
            rules: [
              {
                questionId: 2,
                optionId: 1,
                days: "off",
                schedule: 1,
                countryIs: "MX",
                countryIsNot: ["BR", "AR"],
                localeIs: "es-419",
                lastLevelQuestion: 41,
                platform: "apple",
                requiresMarketingConsent: "on",
              },
            ],
          },
          followUpQuestion: 2,
          meta: { userLevel: "basic", targetLevel: "advanced" },
        },
      ],
      followUps: [{ requirements: { type: "or", rules: [{ platform: "android" }] }, followUpQuestion: 2 }],
      scroll: "onPass",
      wallpaper: { image: "wave", gradient: true },
      header: { media: "guide", alt: "The guide", flexible: true, badge: "badge-award" },
      footnote: "footnote",
      footer: true,
      progress: false,
      dark: true,
      navbar: false,
      tiles: true,
      badge: "badge-award",
    },
  ],
} as const satisfies QuestionnaireInput;

const fits = (change: object) => v.is(questionnaireSchema, { ...complete, ...change });
const question = (change: object) => ({ questions: [{ ...complete.questions[0], ...change }] });
const option = (change: object) => question({ options: [{ ...complete.questions[0].options[0], ...change }] });

describe("a definition", () => {
  it("keeps every field of the specification", () => {
    expect(v.parse(questionnaireSchema, complete)).toEqual(complete);
  });
  it("gives a question the weight 1 by default", () => {
    const { weight: _, ...light } = complete.questions[0];
    expect(v.parse(questionnaireSchema, { ...complete, questions: [light] }).questions[0]?.weight).toBe(1);
  });
  it.each(["initialQuestion", "embeddedQuestion", "extraTrackingQuestion", "lastLevelQuestionFollowUpQuestion", "levelQuestionRules"])(
    "requires %s: the engine has no fixed question ids",
    (field) => {
      expect(fits({ [field]: undefined })).toBe(false);
    },
  );
  it("is refused with an unknown field", () => {
    expect(fits({})).toBe(true);
    for (const change of [{ colour: "red" }, question({ followups: [] }), option({ next: 3 })]) expect(fits(change)).toBe(false);
  });
  it("has a numbered version, or one of the AI product", () => {
    expect(["69", "ai", "aimx", "seventy", "76a", ""].map((id) => fits({ id }))).toEqual([true, true, true, false, false, false]);
  });
  it("has the product's own theme, HablaIngles or Kosmo", () => {
    expect(["parlando", "HablaIngles", "Kosmo", "Other"].map((theme) => fits({ theme }))).toEqual([true, true, true, false]);
  });
  it("has one of the level algorithms LevelQuestion and InitialLevel", () => {
    expect(["LevelQuestion", "InitialLevel", "Guess"].map((userLevelAlgorithm) => fits({ userLevelAlgorithm }))).toEqual([
      true,
      true,
      false,
    ]);
  });
  it("maps questions to the five levels of the specification", () => {
    const level = (userLevel: string) => fits({ userLevelMappings: [{ first: 41, last: 42, userLevel }] });
    expect(["beginner", "basic", "intermediate", "upperintermediate", "advanced", "fluent"].map(level)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });
  it("has questions of the specification's types or without a type", () => {
    const types = ["LevelQuestion", "SignupView", "InitialLevelView", "TargetLevelView", "ThankYouView", "PreparingProgram", undefined];
    for (const type of types) expect(fits(question({ type })), String(type)).toBe(true);
    expect(fits(question({ type: "OtherView" }))).toBe(false);
  });
  it("has options of the specification's types, of type Yes or without a type", () => {
    for (const type of ["No", "Maybe", "ToHomePage", "ToPrevious", "Yes", undefined])
      expect(fits(option({ type })), String(type)).toBe(true);
    expect(fits(option({ type: "ToNext" }))).toBe(false);
  });
  it("scrolls never, after a delay, or after the last block", () => {
    expect(["off", "afterDelay", "onPass", "always"].map((scroll) => fits(question({ scroll })))).toEqual([true, true, true, false]);
  });
});
