/** All versions, and the one to use where (spec 000 §9). Runs on the server and in the build: a browser gets one version in one locale as data. */
import { parseContent } from "#blocks/specs.ts";
import type { Locale } from "#core/locales.ts";
import { type ContentItem, type Questionnaire, type QuestionnaireInput, questionnaireSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { textIn } from "../texts/load.ts";
import { questionnaireTexts } from "../texts/questionnaire.ts";
import { faultOf, Misfit, type MisfitFault } from "./misfit.ts";
import type { Say } from "./story.ts";
import { defaultVersion as defaults, type VersionName } from "./traits.ts";
import { v69 } from "./v69.ts";
import { v73 } from "./v73.ts";
import { v76 } from "./v76.ts";
import { v78 } from "./v78.ts";
import { v79 } from "./v79.ts";
import { v82 } from "./v82.ts";
import { v83 } from "./v83.ts";
import { v84 } from "./v84.ts";
import { v85 } from "./v85.ts";
import { v86 } from "./v86.ts";
import { v87 } from "./v87.ts";
import { v88 } from "./v88.ts";
import { v89 } from "./v89.ts";
import { v90 } from "./v90.ts";
import { v91 } from "./v91.ts";

/** Every version whose questionnaire is ours; `traits.ts` knows those of other sites as well. */
const authored = {
  "69": v69,
  "73": v73,
  "76": v76,
  "78": v78,
  "79": v79,
  "82": v82,
  "83": v83,
  "84": v84,
  "85": v85,
  "86": v86,
  "87": v87,
  "88": v88,
  "89": v89,
  "90": v90,
  "91": v91,
} satisfies Partial<Record<VersionName, (t: Say) => QuestionnaireInput>>;
export type Version = keyof typeof authored;
export const versions: readonly Version[] = Object.keys(authored).filter(isVersion);

export function isVersion(version: string): version is Version {
  return Object.hasOwn(authored, version);
}

export const defaultVersion: Readonly<Record<Locale, Version>> = defaults;
/** Whose first question stands on the home page. */
export const embeddedVersion: Readonly<Record<Locale, Version>> = {
  "en-US": "73",
  "es-419": "73",
  "pt-BR": "73",
  "it-IT": "83",
  "es-ES": "83",
  "de-DE": "83",
};

/** A version as its author wrote it, said in the words of `say`; `questionnaireFor` is what runs. */
export function authoredAs(version: Version, say: Say): QuestionnaireInput {
  return authored[version](say);
}

const built = new Map<string, Questionnaire>();

/** A version in a locale: checked, with defaults, texts compiled. The same object every time. Throws a `Misfit`. */
export function questionnaireFor(version: Version, locale: Locale): Questionnaire {
  const key = `${version} ${locale}`;
  const known = built.get(key);
  if (known) return known;
  const questionnaire = questionnaireIn(version, (text) => textIn(questionnaireTexts, locale, text));
  built.set(key, questionnaire);
  return questionnaire;
}

/** A version in the words of `say`. Throws a `Misfit`. */
export function questionnaireIn(version: Version, say: Say): Questionnaire {
  return questionnaireOf(authoredAs(version, say));
}

/** What an author wrote: checked, with defaults. Throws a `Misfit` when it does not fit its schemas. */
export function questionnaireOf(authored: QuestionnaireInput): Questionnaire {
  const { success, output, issues } = v.safeParse(questionnaireSchema, authored);
  if (!success) throw new Misfit(issues.map((issue) => faultOf(issue, authored.questions)));
  const faults: MisfitFault[] = [];
  const parsed = (item: ContentItem, place: string) => {
    try {
      return parseContent(item);
    } catch (error) {
      if (!v.isValiError(error)) throw error;
      faults.push(...error.issues.map((issue) => faultOf(issue, output.questions, place)));
      return item;
    }
  };
  const questions = output.questions.map((question, at) => ({
    ...question,
    contents: question.contents.map((item, index) => parsed(item, `questions.${at}.contents.${index}`)),
  }));
  if (faults.length > 0) throw new Misfit(faults);
  return { ...output, questions };
}
