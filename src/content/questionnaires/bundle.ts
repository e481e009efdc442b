/**
 * A version as data (JSON): the questionnaire with the keys of its texts, the texts of those keys in every locale, and its facts. What
 * runs is built from it, so nothing of a version is lost on the way to a file or a database and back.
 */
import { type Locale, perLocale } from "#core/locales.ts";
import type { QuestionnaireInput } from "#core/questionnaire/definition.ts";
import { lookUp } from "../texts/lookup.ts";
import { questionnaireTexts, type TextKey } from "../texts/questionnaire.ts";
import type { OwnVersion, Sale, Traits } from "./define.ts";
import type { Say } from "./story.ts";

/** Where a text belongs stands this and its key. No other string of a questionnaire begins so. */
const textMark = "text:";

export interface Bundle {
  readonly version: string;
  readonly hypothesis: string;
  readonly changes: string;
  readonly traits: Partial<Traits>;
  readonly sold: Sale;
  readonly questionnaire: QuestionnaireInput;
  /** Messages (ICU) by key and locale, as far as the questionnaire uses them. */
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

/** The bundle's questionnaire in the words of `say`. */
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
