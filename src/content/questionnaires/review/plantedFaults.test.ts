/** Authors' typical mistakes, each made in a sound version, with the findings that `npm run check` prints (without their paths). */
import { authoredAs, questionnaireFor, questionnaireOf, type Version } from "#content/questionnaires/index.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { type Locale, locales } from "#core/locales.ts";
import { type Finding, formatFinding } from "#core/questionnaire/check.ts";
import type { Option, Question, Questionnaire, QuestionnaireInput, RuleGroup } from "#core/questionnaire/definition.ts";
import { expect, it } from "vitest";
import { proofOf, prove, printFindings } from "./proof.ts";
import { surroundings } from "./surroundings.ts";

interface Draft extends Questionnaire {
  readonly at: (id: number) => Question;
}
type Edit = (draft: Draft, locale: Locale) => unknown;

/** The findings of the version after an edit in all locales or in one. */
function broken(version: Version, edit: Edit, around = surroundings): readonly string[] {
  const { findings } = prove(
    version,
    questionnaireTexts,
    (_, locale) => {
      const definition = structuredClone(questionnaireFor(version, locale));
      const at = (id: number) => definition.questions.find((question) => question.id === id) ?? expect.fail(`no question ${id}`);
      edit(Object.assign(definition, { at }), locale);
      Reflect.deleteProperty(definition, "at");
      return definition;
    },
    around,
  );
  return findings.map(inOneLine);
}
const inOneLine = (finding: Finding) => formatFinding(finding).trim().replace(/\n.*/s, "");

const option = (question: Question, id: number): Option =>
  question.options.find((each) => each.id === id) ?? expect.fail(`no option ${id}`);
const block = (question: Question, type: string) => question.contents.find((each) => each.type === type) ?? expect.fail(`no block ${type}`);
const lead = (question: Question, to: number) => {
  for (const each of question.options) if (each.followUpQuestion !== undefined) each.followUpQuestion = to;
};
const shows = (question: Question, ...rules: RuleGroup["rules"]) =>
  question.contents.push({ type: "paragraph", text: "On", requirements: { rules } });
const says = (question: Question, name: string) => question.contents.push({ type: "paragraph", text: ["On ", ["arg", name]] });
const without = (draft: Draft, id: number) => draft.questions.splice(draft.questions.indexOf(draft.at(id)), 1);
const drop = (question: Question, type: string) => question.contents.splice(question.contents.indexOf(block(question, type)), 1);
const german = (locale: Locale) => locale === "de-DE";

const planted: Readonly<Record<string, readonly [edit: Edit, ...finds: readonly string[]]>> = {
  "two answers required at once, beside a rule that holds": [
    (draft) =>
      shows(
        draft.at(20),
        { questionId: 2, optionId: 1 },
        {
          type: "and",
          rules: [
            { questionId: 2, optionId: 1 },
            { questionId: 2, optionId: 2 },
          ],
        },
      ),
    'FAULT deadRule: Block 2 (paragraph) of question 20 has rules that never hold together: {"questionId":2,"optionId":1} and {"questionId":2,"optionId":2}.',
  ],
  "contradicting country rules, two groups deep": [
    (draft) =>
      shows(
        draft.at(20),
        { questionId: 2 },
        { rules: [{ questionId: 3 }, { type: "and", rules: [{ countryIs: "BR" }, { countryIsNot: "BR" }] }] },
      ),
    'FAULT deadRule: Block 2 (paragraph) of question 20 has rules that never hold together: {"countryIs":"BR"} and {"countryIsNot":"BR"}.',
  ],
  "a text of spaces in one locale": [
    (draft, locale) => german(locale) && Object.assign(option(draft.at(4), 2), { description: "  " }),
    "FAULT emptyText: de-DE: question 4 has an empty text (options.1.description).",
  ],
  "a text of spaces in two locales": [
    (draft, locale) => (german(locale) || locale === "it-IT") && Object.assign(option(draft.at(4), 2), { description: "\u00A0" }),
    "FAULT emptyText: it-IT, de-DE: question 4 has an empty text (options.1.description).",
  ],
  "a compiled text of spaces": [
    (draft) => Object.assign(block(draft.at(4), "title"), { text: [" ", " "] }),
    "FAULT emptyText: Question 4 has an empty text (contents.0.text).",
  ],
  "an empty text of a schedule": [
    (draft, locale) => german(locale) && Object.assign(draft.schedules[0] ?? {}, { name: "" }),
    "FAULT emptyText: de-DE: an empty text (schedules.0.name).",
  ],
  "an empty text of an offer": [
    (draft, locale) => german(locale) && Object.assign(draft.productConfigurations[0]?.selectionTexts ?? {}, { header: " " }),
    "FAULT emptyText: de-DE: an empty text (productConfigurations.0.selectionTexts.header).",
  ],
  "an unknown icon of an option": [
    (draft) => Object.assign(option(draft.at(2), 3), { icon: "unicorn" }),
    'FAULT missingIcon: There is no icon "unicorn". (question 2)',
  ],
  "an unknown icon above a heading": [
    (draft) => Object.assign(draft.at(30).eyebrow ?? {}, { icon: "unicorn" }),
    'FAULT missingIcon: There is no icon "unicorn". (question 30)',
  ],
  "an unknown icon in a list": [
    (draft) => draft.at(81).contents.push({ type: "list", items: [{ text: "One", icon: "unicorn" }] }),
    'FAULT missingIcon: There is no icon "unicorn". (question 81)',
  ],
  "weight 0 on every question": [
    (draft) => {
      for (const question of draft.questions) question.weight = 0;
    },
    "FAULT progressStandsStill: Progress stands at 0 percent all along: the questions on the way weigh nothing.",
  ],
  "weight only on the end": [
    (draft) => {
      for (const question of draft.questions) question.weight = question.id === 82 ? 1 : 0;
    },
    "FAULT progressStandsStill: Progress stands at 0 percent all along: the questions on the way weigh nothing.",
  ],
  "a product that is not in the catalogue": [
    (draft) => Object.assign(draft.productConfigurations[0] ?? {}, { productPlan: "2W" }),
    "FAULT missingProduct: The catalogue has no subscription of 2W.",
  ],
  "a product in a currency that is not in the catalogue": [
    (draft) => Object.assign(draft.productConfigurations[0] ?? {}, { currency: "JPY" }),
    "FAULT missingProduct: The catalogue has no subscription of 1M in JPY.",
  ],
  "offers for one currency only": [
    (draft) => {
      for (const each of draft.productConfigurations) each.currency = "MXN";
    },
    "FAULT missingProduct: No product configuration serves BRL, ARS, COP, CLP, PEN, CHF, EUR, USD.",
  ],
  "a coupon that does not exist": [
    (draft) => Object.assign(draft, { coupon: { code: "NOTHING" } }),
    "FAULT missingCoupon: There is no coupon NOTHING.",
  ],
  "a picture that does not exist": [
    (draft) => Object.assign(draft.at(76).header ?? {}, { media: "nowhere" }),
    'FAULT missingPicture: There is no picture "nowhere". (question 76)',
  ],
  "a picture that does not exist in one locale's offer": [
    (draft, locale) => german(locale) && Object.assign(draft.schedules[1] ?? {}, { picture: "nowhere" }),
    'FAULT missingPicture: de-DE: there is no picture "nowhere".',
  ],
  "a video that does not exist": [
    (draft) => draft.at(81).contents.push({ type: "avatar", video: { filename: "nowhere", extension: "mp4" } }),
    'FAULT missingVideo: There is no video "nowhere.mp4". (question 81)',
  ],
  "a block that names a question that does not exist": [
    (draft) => draft.at(81).contents.push({ type: "planByMail", question: 999 }),
    "FAULT unknownQuestion: Block planByMail of question 81 leads to question 999, which does not exist.",
  ],
  "a placeholder that does not exist": [
    (draft) => says(draft.at(57), "FIRST_NAME"),
    "FAULT unknownPlaceholder: Block paragraph of question 57 says {FIRST_NAME}, which nothing fills.",
  ],
  "a placeholder lost in one locale": [
    (draft, locale) => german(locale) && Object.assign(block(draft.at(82), "title"), { text: "Hallo" }),
    "FAULT differentPlaceholders: de-DE: question 82 uses no placeholders, the other locales FIRSTNAME.",
  ],
  "a placeholder lost in the first locale": [
    (draft, locale) => locale === "en-US" && Object.assign(block(draft.at(82), "title"), { text: "Hello" }),
    "FAULT differentPlaceholders: en-US: question 82 uses no placeholders, the other locales FIRSTNAME.",
  ],
  "a level text with a placeholder": [
    (draft) => Object.assign(draft.levels.basic, { text: [["arg", "FIRSTNAME"]] }),
    "FAULT unknownPlaceholder: A level's text uses {FIRSTNAME}; level texts cannot contain placeholders.",
  ],
  "a name before it is asked": [
    (draft) => says(draft.at(57), "FIRSTNAME"),
    "FAULT unbound: Block paragraph of question 57 says {FIRSTNAME}: the first name may not be known yet.",
  ],
  "the schedule before it is chosen": [
    (draft) => draft.at(57).contents.push({ type: "scheduleSummary" }),
    "FAULT authoring: Question 57 is one of schedule, days and summary, whose ids are 60 to 66.",
    "FAULT unbound: Block scheduleSummary of question 57: the study schedule may not be known yet.",
  ],
  "the days before they are chosen": [
    (draft) => says(draft.at(57), "DAY_NAMES"),
    "FAULT unbound: Block paragraph of question 57 says {DAY_NAMES}: the days may not be known yet.",
  ],
  "a price before the account": [
    (draft) => draft.at(57).contents.push({ type: "price" }),
    "FAULT authoring: Question 57 is one of price and payment, whose ids are 80 to 89.",
    "FAULT unbound: The product may not be known yet: Block price of question 57, Block price of question 57 says {ME_FEE_PER_MONTH}, Block price of question 57 says {TRIAL_DAYS}, Block price of question 57 says {ME_TOTAL_FEE}.",
  ],
  "a missing option in one locale": [
    (draft, locale) => german(locale) && draft.at(30).options.pop(),
    "FAULT differentStructure: de-DE: the questions, options or rules differ from the other locales.",
  ],
  "a missing question in two locales": [
    (draft, locale) => (german(locale) || locale === "pt-BR") && without(draft, 8),
    "FAULT unknownQuestion: Follow-up 5 of question 3 leads to question 8, which does not exist.",
    "FAULT differentStructure: pt-BR, de-DE: the questions, options or rules differ from the other locales.",
    "FAULT neverHolds: Block 32 (bubble) of question 9 never shows: its requirements never hold (there is no question 8; there is no question 8).",
    "FAULT neverHolds: Block 33 (bubble) of question 9 never shows: its requirements never hold (there is no question 8; there is no question 8).",
    "FAULT neverHolds: Block 34 (bubble) of question 9 never shows: its requirements never hold (there is no question 8).",
    "FAULT neverHolds: Block 35 (bubble) of question 9 never shows: its requirements never hold (there is no question 8).",
    "FAULT neverHolds: Block 36 (bubble) of question 9 never shows: its requirements never hold (there is no question 8).",
    "FAULT neverHolds: Block 37 (bubble) of question 9 never shows: its requirements never hold (there is no question 8).",
  ],
  "no heading": [(draft) => drop(draft.at(39), "title"), "FAULT notOneHeading: Question 39 shows no heading."],
  "no heading on Android": [
    (draft) => Object.assign(block(draft.at(39), "title"), { requirements: { rules: [{ platform: "apple" }] } }),
    "FAULT notOneHeading: Question 39 shows no heading. — not on Apple",
  ],
  "two headings on Android": [
    (draft) => draft.at(39).contents.push({ type: "title", text: "Hi", requirements: { rules: [{ platform: "android" }] } }),
    "FAULT notOneHeading: Question 39 shows 2 headings. — on Android only",
  ],
  "two headings in one country": [
    (draft) => draft.at(39).contents.push({ type: "title", text: "Hi", requirements: { rules: [{ countryIs: "BR" }] } }),
    "FAULT notOneHeading: Question 39 shows 2 headings. — in BR only",
  ],
  "a question without options": [
    (draft) => draft.at(56).options.splice(0),
    "FAULT deadEnd: Question 56 cannot be left: no option shows.",
    "FAULT unreachable: Never reached: question 57, question 60, question 61, question 64, question 67, question 68 and 6 more.",
  ],
  "no option on a computer": [
    (draft) => Object.assign(option(draft.at(39), 1), { requirements: { rules: [{ platform: "android" }, { platform: "apple" }] } }),
    "FAULT deadEnd: Question 39 cannot be left: no option shows. — on other platforms only",
  ],
  "no option in one country": [
    (draft) => Object.assign(option(draft.at(39), 1), { requirements: { rules: [{ countryIsNot: "BR" }] } }),
    "FAULT deadEnd: Question 39 cannot be left: no option shows. — in BR only",
  ],
  "no option where consent is required": [
    (draft) => Object.assign(option(draft.at(39), 1), { requirements: { rules: [{ requiresMarketingConsent: "off" }] } }),
    "FAULT deadEnd: Question 39 cannot be left: no option shows. — where consent is required",
  ],
  "no option on Android in one country": [
    (draft) => Object.assign(option(draft.at(39), 1), { requirements: { rules: [{ countryIsNot: "BR" }, { platform: "apple" }] } }),
    "FAULT deadEnd: Question 39 cannot be left: no option shows. — not on Apple, in BR only",
  ],
  "a question that leads to itself": [
    (draft) => lead(draft.at(64), 64),
    "FAULT trapped: No path leads from question 64 to the payment.",
    "FAULT unreachable: Never reached: question 67, question 68, question 69, question 73, question 76, question 80 and 2 more.",
  ],
  "a link to nowhere": [
    (draft) => lead(draft.at(64), 66),
    "FAULT unknownQuestion: Option 1 of question 64 leads to question 66, which does not exist.",
    "FAULT unreachable: Never reached: question 67, question 68, question 69, question 73, question 76, question 80 and 2 more.",
  ],
  "an option that leads nowhere": [
    (draft) => Reflect.deleteProperty(option(draft.at(20), 2), "followUpQuestion"),
    "FAULT noFollowUpId: Question 20, option 2: No followUpId found! (question 20, option 2)",
    "FAULT neverHolds: Block 4 (image) of question 28 never shows: its requirements never hold.",
    "FAULT neverHolds: Block 5 (title) of question 28 never shows: its requirements never hold.",
    "FAULT neverHolds: Block 6 (paragraph) of question 28 never shows: its requirements never hold.",
  ],
  "a follow-up to nowhere": [
    (draft) => (draft.at(20).followUps = [{ followUpQuestion: 21 }]),
    "FAULT unknownQuestion: Follow-up 1 of question 20 leads to question 21, which does not exist.",
    "FAULT unreachable: Never reached: question 28, question 30, question 39, question 55, question 56, question 57 and 11 more.",
  ],
  "a shortcut to nowhere": [
    (draft) => Object.assign(draft, { shortcutQuestion: 99 }),
    "FAULT unknownQuestion: The shortcut leads to question 99, which does not exist.",
  ],
  "a question that nothing leads to": [
    (draft) => draft.questions.push({ ...structuredClone(draft.at(39)), id: 40 }),
    "FAULT authoring: Question 40 comes after question 82: ids must ascend.",
    "FAULT unreachable: Nothing leads to question 40.",
  ],
  "skipped sign-up screens": [
    (draft) => lead(draft.at(64), 73),
    "FAULT unreachable: Never reached: question 67, question 68, question 69.",
    "FAULT paymentBeforeSignup: Question 82 asks for payment before the visitor has signed up.",
    "FAULT unbound: The first name may not be known yet: Block title of question 73 says {FIRSTNAME}, Block title-sparkle of question 76 says {FIRSTNAME}, Block title of question 80 says {FIRSTNAME}, Block title of question 82 says {FIRSTNAME}.",
  ],
  "no password": [
    (draft) => drop(draft.at(68), "signupPassword"),
    "FAULT noSignup: No SignupView holds a signupPassword block.",
    "FAULT paymentBeforeSignup: Question 82 asks for payment before the visitor has signed up.",
  ],
  "no payment": [
    (draft) => {
      drop(draft.at(82), "payment");
      drop(draft.at(82), "paddle");
    },
    "FAULT noPayment: No question holds a payment block.",
  ],
  "a skipped program view": [
    (draft) => lead(draft.at(73), 82),
    "FAULT unreachable: Never reached: question 76, question 80, question 81.",
    "FAULT paymentBeforeProgramView: Question 82 asks for payment before the program view (80).",
  ],
  "no PreparingProgram": [
    (draft) => Reflect.deleteProperty(draft.at(73), "type"),
    "FAULT noPreparingProgram: There is no PreparingProgram question.",
  ],
  "no InitialLevelView": [
    (draft) => Reflect.deleteProperty(draft.at(55), "type"),
    "FAULT noInitialLevelView: The level comes from an InitialLevelView, and there is none.",
    "FAULT unbound: The level may not be known yet: Block title of question 57 says {INITIAL_LEVEL_KEY}, Block programPromise of question 57, Block title of question 64 says {INITIAL_LEVEL_KEY}, Block list of question 80 says {INITIAL_LEVEL}, Block list of question 80 says {INITIAL_LEVEL_KEY}.",
  ],
  "an option without its level": [
    (draft) => Reflect.deleteProperty(option(draft.at(55), 2), "meta"),
    "FAULT noUserLevelOption: Option 2 of the InitialLevelView 55 carries no userLevel.",
    "FAULT unbound: The level may not be known yet: Block title of question 57 says {INITIAL_LEVEL_KEY}, Block programPromise of question 57, Block title of question 64 says {INITIAL_LEVEL_KEY}, Block list of question 80 says {INITIAL_LEVEL}, Block list of question 80 says {INITIAL_LEVEL_KEY}.",
  ],
  "an option without its target level": [
    (draft) => Reflect.deleteProperty(option(draft.at(56), 2), "meta"),
    "FAULT noTargetLevelOption: Option 2 of the TargetLevelView 56 carries no targetLevel.",
    "FAULT unbound: The target level may not be known yet: Block title of question 57 says {TARGET_LEVEL}, Block programPromise of question 57, Block title of question 64 says {TARGET_LEVEL}, Block list of question 80 says {TARGET_LEVEL}, Block title of question 57 says {TARGET_LEVEL_KEY}, Block title of question 64 says {TARGET_LEVEL_KEY} and 1 more.",
  ],
  "two questions with one id": [
    (draft) => draft.questions.push(structuredClone(draft.at(39))),
    "FAULT duplicateId: Two questions have the id 39. (question 39)",
    "FAULT authoring: Question 39 comes after question 82: ids must ascend.",
  ],
  "two options with one id": [
    (draft) => draft.at(2).options.push(structuredClone(option(draft.at(2), 1))),
    "FAULT duplicateId: Question 2 has two options with the id 1.",
  ],
  "two schedules with one id": [
    (draft) => draft.schedules.push(...structuredClone(draft.schedules.slice(0, 1))),
    "FAULT duplicateId: Two study schedules have the id 1.",
  ],
  "a way back from the first question": [
    (draft) => draft.at(2).options.push({ id: 9, type: "ToPrevious", description: "Back" }),
    "FAULT noHistory: Question 2, option 9: No history to go backwards! (question 2)",
  ],
  "a rule on an option that does not exist": [
    (draft) => shows(draft.at(20), { questionId: 2, optionId: 9 }),
    "FAULT neverHolds: Block 2 (paragraph) of question 20 never shows: its requirements never hold (question 2 has no option 9).",
  ],
  "a rule on a later question": [
    (draft) => shows(draft.at(20), { questionId: 30 }),
    "FAULT neverHolds: Block 2 (paragraph) of question 20 never shows: its requirements never hold.",
  ],
  "a rule on a schedule that does not exist": [
    (draft) => shows(draft.at(64), { schedule: 9 }),
    "FAULT neverHolds: Block 4 (paragraph) of question 64 never shows: its requirements never hold (there is no study schedule 9).",
  ],
  "a follow-up shadowed by an earlier one": [
    (draft) => (draft.at(20).followUps = [{ followUpQuestion: 28 }, { followUpQuestion: 30 }]),
    "FAULT shadowed: Follow-up 2 of question 20 (to 30) is never taken: an earlier follow-up always applies first.",
  ],
  "no initial question": [
    (draft) => Object.assign(draft, { initialQuestion: 1 }),
    "FAULT noInitialQuestion: The initial question 1 does not exist.",
  ],
  "an end that does not exist": [
    (draft) => Object.assign(draft.progress, { end: 99 }),
    "FAULT noProgressEnd: Progress ends at question 99, which does not exist.",
  ],
  "a missing question": [
    (draft) => without(draft, 39),
    "FAULT unknownQuestion: Question 39 does not exist. Links to it: option 1 of question 30, option 2 of question 30, option 3 of question 30, option 4 of question 30.",
    "FAULT unreachable: Never reached: question 55, question 56, question 57, question 60, question 61, question 64 and 8 more.",
  ],
};

it.each(Object.entries(planted).map(([name, [edit, ...finds]]) => ({ name, edit, finds })))("finds $name", ({ edit, finds }) => {
  expect(broken("73", edit)).toEqual(finds);
});

/** Faults in level questions, which the short story does not have. */
const plantedInLevels: Readonly<Record<string, readonly [edit: Edit, ...finds: readonly string[]]>> = {
  "a gap in the mapping of levels": [
    (draft) => draft.userLevelMappings.splice(1, 1),
    "FAULT unmappedLevel: No level is mapped to: level question 45, level question 46.",
    "FAULT unbound: The level may not be known yet: Block title of question 55 says {INITIAL_LEVEL}, Block description of question 55 says {INITIAL_LEVEL_TEXT}, Block description of question 55 says {INITIAL_LEVEL_KEY}, Option 2 of question 55 says {INITIAL_LEVEL_KEY}, Block title of question 57 says {INITIAL_LEVEL_KEY}, Block programPromise of question 57 and 6 more.",
  ],
  "an overlap in the mapping of levels": [
    (draft) => draft.userLevelMappings.push({ first: 41, last: 42, userLevel: "advanced" }),
    "FAULT overlappingLevels: 2 levels are mapped to: level question 41, level question 42.",
  ],
  "a level rule that skips the sign-up": [
    (draft) => {
      for (const rule of draft.levelQuestionRules) rule.followUpQuestion = 73;
    },
    "FAULT paymentBeforeSignup: Question 82 asks for payment before the visitor has signed up.",
    "FAULT unbound: The first name may not be known yet: Block title of question 73 says {FIRSTNAME}, Block title of question 74 says {FIRSTNAME}, Block title-sparkle of question 76 says {FIRSTNAME}, Block title of question 80 says {FIRSTNAME}, Block title of question 82 says {FIRSTNAME}.",
    "FAULT unbound: The target level may not be known yet: Block description of question 74 says {TARGET_LEVEL}, Block programPromise of question 74, Block description of question 74 says {TARGET_LEVEL_KEY}.",
    "FAULT unbound: The study schedule may not be known yet: Block description of question 74 says {PROGRAM_HOURS}, Block list of question 76 says {MINUTES_PER_SESSION}.",
    "note  progressStepsBack: Progress would decrease, and the bar does not move: from question 43 to 53 by 18.2 percent, from question 44 to 53 by 18.4 percent, from question 45 to 53 by 18.6 percent, from question 46 to 53 by 18.8 percent, from question 47 to 53 by 19.0 percent, from question 48 to 53 by 19.2 percent and 4 more.",
  ],
  "a level rule shadowed by an earlier one": [
    (draft) => draft.levelQuestionRules.push({ no: 3, maybe: 0, followUpQuestion: 53 }),
    "FAULT levelRuleNeverFires: The level rule of 3 No and 0 Maybe never applies.",
  ],
  "a level rule to nowhere": [
    (draft) => draft.levelQuestionRules.push({ no: 0, maybe: 1, followUpQuestion: 99 }),
    "FAULT unknownQuestion: The level rule of 0 No and 1 Maybe leads to question 99, which does not exist.",
  ],
};

it.each(Object.entries(plantedInLevels).map(([name, [edit, ...finds]]) => ({ name, edit, finds })))("finds $name", ({ edit, finds }) => {
  expect(broken("76", edit)).toEqual(finds);
});

it("finds a product without a price in the currency of a country that it is offered to", () => {
  const around = { ...surroundings, hasProduct: (_: string, plan: string, currency?: string) => plan !== "3M" || currency !== "CLP" };
  expect(broken("73", () => {}, around)).toEqual(["FAULT missingProduct: The catalogue has no subscription of 3M in CLP."]);
});

/** The version with a mistake in its author's source. */
const miswritten = (edit: (draft: QuestionnaireInput) => unknown) =>
  prove("73", questionnaireTexts, (version, _, say) => {
    const draft = structuredClone(authoredAs(version, say));
    edit(draft);
    return questionnaireOf(draft);
  }).findings.map(inOneLine);
const written = (draft: QuestionnaireInput, id: number) =>
  draft.questions.find((question) => question.id === id) ?? expect.fail(`no question ${id}`);

it("names the screen of an unknown block, without a stack trace", () => {
  expect(miswritten((draft) => written(draft, 4).contents.push({ type: "hologram" }))).toEqual([
    'FAULT malformed: Screen 4, contents.1: there is no block "hologram".',
  ]);
});
it("reports an exception in the author's code, without a stack trace", () => {
  expect(
    miswritten(() => {
      throw new TypeError("Cannot read properties of undefined");
    }),
  ).toEqual(["FAULT malformed: TypeError: Cannot read properties of undefined."]);
});

const key = "abroad.title";
const reworded = (change: (texts: Record<string, string>, locale: Locale) => unknown) => {
  const texts: Partial<Record<Locale, Record<string, string>>> = {};
  for (const locale of locales) {
    const own: Record<string, string> = { ...questionnaireTexts[locale] };
    change(own, locale);
    texts[locale] = own;
  }
  return prove("73", texts).findings.map(inOneLine);
};

it("names a text that all locales lack, and one that some locales lack", () => {
  expect(reworded((texts) => Reflect.deleteProperty(texts, key))).toEqual([
    'FAULT unknownText: No locale has a text "abroad.title". (question 8)',
  ]);
  expect(reworded((texts, locale) => german(locale) && Reflect.deleteProperty(texts, key))).toEqual([
    'FAULT missingText: de-DE: there is no text "abroad.title". (question 8)',
  ]);
});
it("names a text that cannot be parsed, and one of spaces only", () => {
  expect(reworded((texts, locale) => german(locale) && Object.assign(texts, { [key]: "Hallo {" }))).toEqual([
    'FAULT malformed: de-DE: the text "abroad.title" cannot be parsed. (question 8)',
  ]);
  expect(reworded((texts, locale) => german(locale) && Object.assign(texts, { [key]: " " }))).toEqual([
    "FAULT emptyText: de-DE: question 8 has an empty text (contents.0.text).",
  ]);
});
it("reports a sound version, and no NaN", () => {
  expect(broken("73", () => {})).toEqual([]);
  const lines: string[] = [];
  printFindings(["73"], (line) => lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/^73: sound; 26 screens/)]);
  const { numbers } = proofOf({ "en-US": { ...questionnaireFor("73", "en-US"), initialQuestion: 81 } });
  expect(numbers).toMatch(/nobody comes to the end/);
});
