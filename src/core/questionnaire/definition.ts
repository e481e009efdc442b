/** The questionnaire as data: plain, JSON-serialisable, checked by these schemas (spec 000 §3, spec 001 §3). */
import * as v from "valibot";
import { locales } from "../locales.ts";
import { textSchema } from "../text.ts";

const questionTypes = ["LevelQuestion", "SignupView", "InitialLevelView", "TargetLevelView", "ThankYouView", "PreparingProgram"] as const;
export type QuestionType = (typeof questionTypes)[number];

/** `Yes` is a plain option of a level question; it has no rule of its own. */
const optionTypes = ["Yes", "No", "Maybe", "ToHomePage", "ToPrevious"] as const;

export const levels = ["beginner", "basic", "intermediate", "upperintermediate"] as const;
export type Level = (typeof levels)[number];
/** `advanced` is a level type of its own and maps to upperintermediate (spec 001 §3). */
const levelTypes = [...levels, "advanced"] as const;
export type LevelType = (typeof levelTypes)[number];

export const themes = ["parlando", "HablaIngles", "Kosmo"] as const;
export type Theme = (typeof themes)[number];

const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const onOff = v.picklist(["on", "off"]);

const ruleFields = v.strictObject({
  /** The question has been answered (with `optionId`: with that option). */
  questionId: v.optional(id),
  optionId: v.optional(id),
  /** Practice days have been chosen (`on`) or not (`off`). */
  days: v.optional(onOff),
  /** Id of the chosen study schedule. */
  schedule: v.optional(id),
  countryIs: v.optional(v.union([v.string(), v.array(v.string())])),
  countryIsNot: v.optional(v.union([v.string(), v.array(v.string())])),
  localeIs: v.optional(v.union([v.picklist(locales), v.array(v.picklist(locales))])),
  /** Id of the last level question reached. */
  lastLevelQuestion: v.optional(id),
  platform: v.optional(v.picklist(["android", "apple"])),
  requiresMarketingConsent: v.optional(onOff),
});
const ruleSchema = v.pipe(
  ruleFields,
  v.check((rule) => rule.optionId === undefined || rule.questionId !== undefined, "optionId needs a questionId"),
);
/** All fields of a rule must hold. */
export type Rule = v.InferOutput<typeof ruleSchema>;

/** A group of rules: any of them ('or', the default) or all of them ('and'); an empty group holds. */
export interface RuleGroup {
  readonly type?: "or" | "and" | undefined;
  readonly rules: readonly (Rule | RuleGroup)[];
}
export const ruleGroupSchema: v.GenericSchema<RuleGroup> = v.strictObject({
  type: v.optional(v.picklist(["or", "and"])),
  rules: v.array(v.union([v.lazy(() => ruleGroupSchema), ruleSchema])),
});

const followUpSchema = v.strictObject({ requirements: v.optional(ruleGroupSchema), followUpQuestion: id });

/** The guide's one sentence after an answer; `figure` is a picture's name. */
const rewardSchema = v.strictObject({ title: textSchema, text: textSchema, figure: v.optional(v.string()) });

const optionSchema = v.strictObject({
  id,
  type: v.optional(v.picklist(optionTypes)),
  description: textSchema,
  /** A quiet second line. */
  detail: v.optional(textSchema),
  /** Name of an icon (`#ui/Icon.tsx`). */
  icon: v.optional(v.string()),
  /** Name of a picture. */
  picture: v.optional(v.string()),
  /** Several options default to cards, a single one to the primary button. */
  buttonStyle: v.optional(v.picklist(["card", "primary", "secondary", "link"])),
  requirements: v.optional(ruleGroupSchema),
  followUpQuestion: v.optional(id),
  meta: v.optional(v.strictObject({ userLevel: v.optional(v.picklist(levelTypes)), targetLevel: v.optional(v.picklist(levelTypes)) })),
  reward: v.optional(rewardSchema),
});
export type Option = v.InferOutput<typeof optionSchema>;

/** A content item; its own fields are the block's (`#blocks/specs.ts` checks them). */
const contentItemSchema = v.looseObject({ type: v.string(), requirements: v.optional(ruleGroupSchema) });
export type ContentItem = v.InferOutput<typeof contentItemSchema>;

const questionSchema = v.strictObject({
  id,
  weight: v.optional(v.pipe(v.number(), v.minValue(0)), 1),
  type: v.optional(v.picklist(questionTypes)),
  /** The small line above the heading, with an icon. */
  eyebrow: v.optional(v.strictObject({ text: textSchema, icon: v.optional(v.string()) })),
  contents: v.array(contentItemSchema),
  options: v.array(optionSchema),
  followUps: v.optional(v.array(followUpSchema)),
  scroll: v.optional(v.picklist(["off", "afterDelay", "onPass"])),
  wallpaper: v.optional(v.strictObject({ image: v.string(), gradient: v.optional(v.boolean()) })),
  header: v.optional(
    v.strictObject({ media: v.string(), alt: textSchema, flexible: v.optional(v.boolean()), badge: v.optional(v.string()) }),
  ),
  footnote: v.optional(textSchema),
  footer: v.optional(v.boolean()),
  /** Whether the progress bar shows; default true. */
  progress: v.optional(v.boolean()),
  dark: v.optional(v.boolean()),
  navbar: v.optional(v.boolean()),
  /** Options two in a row. */
  tiles: v.optional(v.boolean()),
  badge: v.optional(v.string()),
  /** `wide` and `level` stand in two columns from 992 px; default `column`. */
  layout: v.optional(v.picklist(["column", "wide", "level"])),
});
export type Question = v.InferOutput<typeof questionSchema>;

const studyFigures = {
  /** Of whoever has no level yet, and from each level where that differs: as long as the first stage takes (`plan.ts`). */
  months: v.pipe(v.number(), v.integer(), v.minValue(1)),
  monthsFrom: v.optional(v.strictObject(v.entriesFromList(levels, v.pipe(v.number(), v.integer(), v.minValue(1))))),
  practiseDaysPerWeek: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)),
  minutesPerSession: v.pipe(v.number(), v.integer(), v.minValue(1)),
};
/** Its texts may use MONTHS, DAYS and MINUTES: its own. */
const studyScheduleSchema = v.strictObject({
  id,
  ...studyFigures,
  /** Other figures for whoever has given one of these answers; the first that fits counts. */
  variants: v.optional(v.array(v.strictObject({ answers: v.array(v.strictObject({ questionId: id, optionId: id })), ...studyFigures }))),
  name: textSchema,
  monthsText: textSchema,
  monthsTextBottom: v.optional(textSchema),
  practiseDaysPerWeekText: textSchema,
  minutesPerSessionText: textSchema,
  followUpQuestion: v.optional(id),
  picture: v.optional(v.string()),
});
export type StudySchedule = v.InferOutput<typeof studyScheduleSchema>;

/** What a level is called inside a sentence ("your level is {INITIAL_LEVEL}"), and what it means. */
const levelTextsSchema = v.strictObject({ name: textSchema, text: textSchema });

const productConfigurationSchema = v.strictObject({
  productType: v.picklist(["subscription", "onetime"]),
  productPlan: v.string(),
  /** Without a currency the configuration serves every currency. */
  currency: v.optional(v.string()),
  selectionTexts: v.strictObject({
    header: textSchema,
    price: v.optional(textSchema),
    footer: v.optional(textSchema),
    trial: v.optional(textSchema),
  }),
  paymentTexts: v.strictObject({ paymentHeader: textSchema, typeText: v.optional(textSchema), paymentFooter: v.optional(textSchema) }),
  discounts: v.optional(v.array(v.strictObject({ currency: v.string(), percentage: v.number(), tag: v.optional(textSchema) }))),
  /** The usual choice carries a tag on its upper edge. */
  tag: v.optional(textSchema),
});
export type ProductConfiguration = v.InferOutput<typeof productConfigurationSchema>;

export const questionnaireSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^(\d+|ai|aimx)$/)),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  theme: v.picklist(themes),
  initialQuestion: id,
  /** Stands on the home page, and is filled in by a link from another page (spec 000 §4, §9). */
  embeddedQuestion: id,
  /** Its answers are tracked as campaign events too (spec 001 §9). */
  extraTrackingQuestion: id,
  /** Six shift-clicks on a header picture go here. */
  shortcutQuestion: v.optional(id),
  progress: v.strictObject({ type: v.literal("weight"), end: id }),
  coupon: v.optional(v.strictObject({ code: v.string() })),
  userLevelAlgorithm: v.picklist(["LevelQuestion", "InitialLevel"]),
  levels: v.strictObject(v.entriesFromList(levels, levelTextsSchema)),
  userLevelMappings: v.array(v.strictObject({ first: id, last: id, userLevel: v.picklist(levelTypes) })),
  lastLevelQuestionFollowUpQuestion: id,
  levelQuestionRules: v.array(v.strictObject({ no: v.number(), maybe: v.number(), followUpQuestion: id })),
  schedules: v.array(studyScheduleSchema),
  productConfigurations: v.array(productConfigurationSchema),
  questions: v.array(questionSchema),
});
export type Questionnaire = v.InferOutput<typeof questionnaireSchema>;
/** What an author writes: defaults may be left out. */
export type QuestionnaireInput = v.InferInput<typeof questionnaireSchema>;
export type QuestionInput = v.InferInput<typeof questionSchema>;
export type OptionInput = v.InferInput<typeof optionSchema>;
