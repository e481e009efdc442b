/** The questionnaire as data: plain, JSON-serializable, validated by these schemas (spec 000 §3, spec 001 §3). */
import * as v from "valibot";
import { locales } from "../locales.ts";
import { type Level, levels } from "./levels.ts";
import { productTypes } from "../products.ts";
import { iconName, mark, pictureName, questionId } from "../marks.ts";
import { textOrEmpty, textSchema } from "../textSchema.ts";

const questionTypes = ["LevelQuestion", "SignupView", "InitialLevelView", "TargetLevelView", "ThankYouView", "PreparingProgram"] as const;
export type QuestionType = (typeof questionTypes)[number];

/** `Yes` is a plain option of a level question; no rule mentions it. */
const optionTypes = ["Yes", "No", "Maybe", "ToHomePage", "ToPrevious"] as const;

export type { Level };
/** `advanced` is a level type of its own that maps to upperintermediate (spec 001 §3). */
const levelTypes = [...levels, "advanced"] as const;
export type LevelType = (typeof levelTypes)[number];

export const themes = ["parlando", "HablaIngles", "Kosmo"] as const;
export type Theme = (typeof themes)[number];

const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const onOff = v.picklist(["on", "off"]);

const ruleFields = v.strictObject({
  /** Holds if the question has been answered; with `optionId`, if that option was chosen. */
  questionId: v.optional(questionId),
  optionId: v.optional(id),
  /** Whether practice days have been chosen: `on` or `off`. */
  days: v.optional(onOff),
  /** Id of the chosen study schedule. */
  schedule: v.optional(id),
  countryIs: v.optional(v.union([v.string(), v.array(v.string())])),
  countryIsNot: v.optional(v.union([v.string(), v.array(v.string())])),
  localeIs: v.optional(v.union([v.picklist(locales), v.array(v.picklist(locales))])),
  /** Id of the last level question that was reached. */
  lastLevelQuestion: v.optional(questionId),
  platform: v.optional(v.picklist(["android", "apple"])),
  requiresMarketingConsent: v.optional(onOff),
});
const ruleSchema = v.pipe(
  ruleFields,
  v.check((rule) => rule.optionId === undefined || rule.questionId !== undefined, "optionId needs a questionId"),
);
/** A rule holds when all its fields hold. */
export type Rule = v.InferOutput<typeof ruleSchema>;

/** A group of rules: 'or' (the default) needs any of them, 'and' needs all; an empty group holds. */
export interface RuleGroup {
  readonly type?: "or" | "and" | undefined;
  readonly rules: readonly (Rule | RuleGroup)[];
}
export const ruleGroupSchema: v.GenericSchema<RuleGroup> = v.strictObject({
  type: v.optional(v.picklist(["or", "and"])),
  rules: v.array(v.union([v.lazy(() => ruleGroupSchema), ruleSchema])),
});

const followUpSchema = v.strictObject({ requirements: v.optional(ruleGroupSchema), followUpQuestion: questionId });

/** The guide's short reply to an answer. */
const rewardSchema = v.strictObject({ title: textSchema, text: textSchema, figure: v.optional(pictureName) });

const optionSchema = v.strictObject({
  id,
  type: v.optional(v.picklist(optionTypes)),
  description: textSchema,
  /** A second line in smaller type. */
  detail: v.optional(textSchema),
  icon: v.optional(iconName),
  picture: v.optional(pictureName),
  /** The default is cards for several options and the primary button for a single one. */
  buttonStyle: v.optional(v.picklist(["card", "primary", "secondary", "link"])),
  requirements: v.optional(ruleGroupSchema),
  followUpQuestion: v.optional(questionId),
  meta: v.optional(
    v.strictObject({
      userLevel: v.optional(v.picklist(levelTypes)),
      targetLevel: v.optional(v.picklist(levelTypes)),
      /** The kind of product that the visitor prefers to pay for. */
      productType: v.optional(v.picklist(productTypes)),
    }),
  ),
  reward: v.optional(rewardSchema),
});
export type Option = v.InferOutput<typeof optionSchema>;

/** A content item. The block's own schema validates its other fields (`#blocks/specs.ts`). */
const contentItemSchema = v.pipe(v.looseObject({ type: v.string(), requirements: v.optional(ruleGroupSchema) }), mark("block"));
export type ContentItem = v.InferOutput<typeof contentItemSchema>;

export const questionSchema = v.strictObject({
  id,
  weight: v.optional(v.pipe(v.number(), v.minValue(0)), 1),
  type: v.optional(v.picklist(questionTypes)),
  /** A small line with an icon above the heading. */
  eyebrow: v.optional(v.strictObject({ text: textSchema, icon: v.optional(iconName) })),
  contents: v.array(contentItemSchema),
  options: v.array(optionSchema),
  followUps: v.optional(v.array(followUpSchema)),
  scroll: v.optional(v.picklist(["off", "afterDelay", "onPass"])),
  wallpaper: v.optional(v.strictObject({ image: pictureName, gradient: v.optional(v.boolean()) })),
  header: v.optional(
    v.strictObject({ media: pictureName, alt: textOrEmpty, flexible: v.optional(v.boolean()), badge: v.optional(v.string()) }),
  ),
  footnote: v.optional(textSchema),
  footer: v.optional(v.boolean()),
  /** Whether the progress bar shows; default true. */
  progress: v.optional(v.boolean()),
  dark: v.optional(v.boolean()),
  navbar: v.optional(v.boolean()),
  /** Shows two options per row. */
  tiles: v.optional(v.boolean()),
  badge: v.optional(v.string()),
  /** `wide` and `level` have two columns from 992 px; default `column`. */
  layout: v.optional(v.picklist(["column", "wide", "level"])),
});
export type Question = v.InferOutput<typeof questionSchema>;

const studyFigures = {
  /**
   * The program's length, in which its stage fits (`plan.ts`). `monthsFrom` has the length for each level. `months` is for a visitor without a level, or
   * for everybody if `monthsFrom` is missing.
   */
  months: v.pipe(v.number(), v.integer(), v.minValue(1)),
  monthsFrom: v.optional(v.strictObject(v.entriesFromList(levels, v.pipe(v.number(), v.integer(), v.minValue(1))))),
  practiseDaysPerWeek: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)),
  minutesPerSession: v.pipe(v.number(), v.integer(), v.minValue(1)),
};
/** A schedule's texts may use its own MONTHS, DAYS and MINUTES. */
const studyScheduleSchema = v.strictObject({
  id,
  ...studyFigures,
  /** Other figures for visitors who gave one of these answers; the first match counts. */
  variants: v.optional(v.array(v.strictObject({ answers: v.array(v.strictObject({ questionId, optionId: id })), ...studyFigures }))),
  name: textSchema,
  monthsText: textSchema,
  monthsTextBottom: v.optional(textSchema),
  practiseDaysPerWeekText: textSchema,
  minutesPerSessionText: textSchema,
  followUpQuestion: v.optional(questionId),
  picture: v.optional(pictureName),
});
export type StudySchedule = v.InferOutput<typeof studyScheduleSchema>;

/** The level's name inside a sentence ("your level is {INITIAL_LEVEL}"), and its description. */
const levelTextsSchema = v.strictObject({ name: textSchema, text: textSchema });

const productConfigurationSchema = v.strictObject({
  productType: v.picklist(["subscription", "onetime"]),
  productPlan: v.string(),
  /** A configuration without a currency applies to every currency. */
  currency: v.optional(v.string()),
  selectionTexts: v.strictObject({
    header: textSchema,
    price: v.optional(textSchema),
    footer: v.optional(textSchema),
    trial: v.optional(textSchema),
  }),
  paymentTexts: v.strictObject({ paymentHeader: textSchema, typeText: v.optional(textSchema), paymentFooter: v.optional(textSchema) }),
  discounts: v.optional(v.array(v.strictObject({ currency: v.string(), percentage: v.number(), tag: v.optional(textSchema) }))),
  /** A tag on the upper edge of the recommended product. */
  tag: v.optional(textSchema),
});
export type ProductConfiguration = v.InferOutput<typeof productConfigurationSchema>;

export const questionnaireSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^(\d+|ai|aimx)$/)),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  theme: v.picklist(themes),
  initialQuestion: questionId,
  /** The question embedded on the home page. A link from another page can answer it in advance (spec 000 §4, §9). */
  embeddedQuestion: questionId,
  /** The question whose answers are also tracked as campaign events (spec 001 §9). */
  extraTrackingQuestion: questionId,
  /** Six shift-clicks on a header picture lead to this question. */
  shortcutQuestion: v.optional(questionId),
  progress: v.strictObject({ type: v.literal("weight"), end: questionId }),
  coupon: v.optional(v.strictObject({ code: v.string() })),
  userLevelAlgorithm: v.picklist(["LevelQuestion", "InitialLevel"]),
  levels: v.strictObject(v.entriesFromList(levels, levelTextsSchema)),
  userLevelMappings: v.array(v.strictObject({ first: questionId, last: questionId, userLevel: v.picklist(levelTypes) })),
  lastLevelQuestionFollowUpQuestion: questionId,
  levelQuestionRules: v.array(v.strictObject({ no: v.number(), maybe: v.number(), followUpQuestion: questionId })),
  schedules: v.array(studyScheduleSchema),
  productConfigurations: v.array(productConfigurationSchema),
  questions: v.array(questionSchema),
});
export type Questionnaire = v.InferOutput<typeof questionnaireSchema>;
/** What an author writes: fields with defaults may be omitted. */
export type QuestionnaireInput = v.InferInput<typeof questionnaireSchema>;
export type QuestionInput = v.InferInput<typeof questionSchema>;
export type OptionInput = v.InferInput<typeof optionSchema>;
