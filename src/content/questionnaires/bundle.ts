/**
 * A version as data (JSON): the questionnaire with text keys, their texts in every locale, and the version's metadata. A bundle contains
 * the version completely, so a file or database can store it. The running questionnaire is built from it.
 */
import { type Locale, perLocale } from "#core/locales.ts";
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { lookUp } from "../texts/lookup.ts";
import { questionnaireTexts, type TextKey } from "../texts/questionnaire.ts";
import type { OwnVersion, Sale, Traits } from "./define.ts";
import type { Say } from "./story.ts";

/** Marks a string as a text key. No other string of a questionnaire starts with it. */
const textMark = "text:";

export interface Bundle {
  readonly version: string;
  readonly hypothesis: string;
  readonly changes: string;
  readonly traits: Partial<Traits>;
  readonly sold: Sale;
  readonly questionnaire: QuestionnaireInput;
  /** Messages (ICU) by key and locale, for the keys that the questionnaire uses. */
  readonly texts: Readonly<Record<string, Readonly<Record<Locale, string>>>>;
}

export function bundleOf({ id, hypothesis, changes, traits, sold, questionnaire }: OwnVersion): Bundle {
  const used = new Set<TextKey>();
  const keyed: QuestionnaireInput = questionnaire((key) => {
    used.add(key);
    return textMark + key;
  });
  const texts = [...used].toSorted().map((key) => [key, perLocale((locale) => lookUp(questionnaireTexts, locale, key))] as const);
  return { version: id, hypothesis, changes, traits, sold, questionnaire: keyed, texts: Object.fromEntries(texts) };
}

/** The bundle's questionnaire, with its text keys replaced by the texts of `say`. */
export function filledWith({ questionnaire }: Pick<Bundle, "questionnaire">, say: Say): QuestionnaireInput {
  return filled(questionnaire, say);
}

function filled<T>(value: T, say: Say): T;
function filled(value: unknown, say: Say): unknown {
  if (typeof value === "string") return value.startsWith(textMark) ? say(value.slice(textMark.length) as TextKey) : value;
  if (Array.isArray(value)) return value.map((item) => filled(item, say));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, say)]));
}
