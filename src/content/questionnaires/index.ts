/** All versions, and the one to use where (spec 000 §9). Runs on the server and in the build: a browser gets one version in one locale as data. */
import { parseContent } from "#blocks/specs.ts";
import type { Locale } from "#core/locales.ts";
import { type Questionnaire, type QuestionnaireInput, questionnaireSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { textIn } from "../texts/load.ts";
import { questionnaireTexts } from "../texts/questionnaire.ts";
import type { Say } from "./story.ts";
import { v76 } from "./v76.ts";

const authored = { "76": v76 } satisfies Record<string, (t: Say) => QuestionnaireInput>;
export type Version = keyof typeof authored;
export const versions: readonly Version[] = ["76"];

export function isVersion(version: string): version is Version {
  return Object.hasOwn(authored, version);
}

export const defaultVersion: Readonly<Record<Locale, Version>> = {
  "en-US": "76",
  "es-419": "76",
  "pt-BR": "76",
  "it-IT": "76",
  "es-ES": "76",
  "de-DE": "76",
};
/** Whose first question stands on the home page. */
export const embeddedVersion: Readonly<Record<Locale, Version>> = {
  "en-US": "76",
  "es-419": "76",
  "pt-BR": "76",
  "it-IT": "76",
  "es-ES": "76",
  "de-DE": "76",
};

/** A version as its author wrote it, said in the words of `say`; `questionnaireFor` is what runs. */
export function authoredAs(version: Version, say: Say): QuestionnaireInput {
  return authored[version](say);
}

const built = new Map<string, Questionnaire>();

/** A version in a locale: checked, with defaults, texts compiled. The same object every time. Throws when the definition does not fit its schemas. */
export function questionnaireFor(version: Version, locale: Locale): Questionnaire {
  const key = `${version} ${locale}`;
  const known = built.get(key);
  if (known) return known;
  const questionnaire = v.parse(
    questionnaireSchema,
    authoredAs(version, (text) => textIn(questionnaireTexts, locale, text)),
  );
  const checked = {
    ...questionnaire,
    questions: questionnaire.questions.map((question) => ({ ...question, contents: question.contents.map(parseContent) })),
  };
  built.set(key, checked);
  return checked;
}
