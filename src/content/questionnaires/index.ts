/**
 * All versions, and the locales that use them (spec 000 §9). For server and build only: a browser receives one version in one locale as
 * data.
 */
import { isBlockType } from "#blocks/specs.ts";
import { parseContent } from "#blocks/allContents.ts";
import { type Locale, perLocale } from "#core/locales.ts";
import { memoize } from "#core/memoize.ts";
import { type ContentItem, type Questionnaire, type QuestionnaireInput, questionnaireSchema } from "#core/questionnaire/definition.ts";
import * as v from "valibot";
import { textIn } from "../texts/load.ts";
import { questionnaireTexts } from "../texts/questionnaire.ts";
import * as all from "./all.ts";
import { type Bundle, bundleOf, filledWith } from "./bundle.ts";
import { type OwnVersion, type Sale, usualSale } from "./define.ts";
import { faultOf, InvalidDefinition, type DefinitionFault, unknownBlock } from "./invalidDefinition.ts";
import type { Say } from "./story.ts";

type AnyVersion = (typeof all)[keyof typeof all];
/** All version names, including versions on other sites. */
export type VersionName = AnyVersion["id"];
/** A version with its own questionnaire. */
export type Version = Extract<AnyVersion, OwnVersion>["id"];

/** In ascending order. */
export const everyVersion: readonly AnyVersion[] = Object.values(all).toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
const ours = everyVersion.filter((version) => "questionnaire" in version);
export const versions: readonly Version[] = ours.map(({ id }) => id);

export function isVersion(version: string): version is Version {
  return versions.some((id) => id === version);
}

/** The version for links that name none or an unknown one (spec 000 §5, §9). */
export const defaultVersion: Readonly<Record<Locale, Version>> = perLocale((locale) => onlyOne("defaultIn", locale));
/** The version whose first question is on the home page. */
export const embeddedVersion: Readonly<Record<Locale, Version>> = perLocale((locale) => onlyOne("embeddedIn", locale));

function onlyOne(field: "defaultIn" | "embeddedIn", locale: Locale): Version {
  const [version, ...others] = ours.filter((one) => one[field].includes(locale)).map(({ id }) => id);
  if (version === undefined) throw new Error(`No version has ${locale} in its ${field}.`);
  if (others.length > 0)
    throw new Error(`Only one version can have ${locale} in its ${field}, but these have it: ${[version, ...others].join(", ")}.`);
  return version;
}

/** A version's sale; an unknown version has the usual one. */
export function saleOf(version: string): Sale {
  return ours.find(({ id }) => id === version)?.sold ?? usualSale;
}

/** A version as data. Returns the same object every time. */
export const bundleFor = memoize((version: Version): Bundle => {
  const authored = ours.find(({ id }) => id === version);
  if (authored === undefined) throw new Error(`There is no version ${version}`);
  return bundleOf(authored);
});

/** A version as its author wrote it, not yet validated (see `questionnaireFor`). `say` gives the text of a key. */
export function authoredAs(version: Version, say: Say): QuestionnaireInput {
  return filledWith(bundleFor(version), say);
}

const built = new Map<string, Questionnaire>();

/** A version in a locale: validated, with defaults and compiled texts. Returns the same object every time. Throws an `InvalidDefinition`. */
export function questionnaireFor(version: Version, locale: Locale): Questionnaire {
  const key = `${version} ${locale}`;
  const known = built.get(key);
  if (known) return known;
  const questionnaire = questionnaireIn(version, (text) => textIn(questionnaireTexts, locale, text));
  built.set(key, questionnaire);
  return questionnaire;
}

/** A version with the texts of `say`. Throws an `InvalidDefinition`. */
export function questionnaireIn(version: Version, say: Say): Questionnaire {
  return questionnaireOf(authoredAs(version, say));
}

/**
 * The questionnaire of a bundle with its own texts; a missing one shows its key. This build may no longer contain the bundle's version. Throws an `InvalidDefinition`
 * when the bundle does not match the current schemas.
 */
export function questionnaireOfBundle(bundle: Pick<Bundle, "questionnaire" | "texts">, locale: Locale): Questionnaire {
  const tables = perLocale((each) => Object.fromEntries(Object.entries(bundle.texts).map(([key, texts]) => [key, texts[each]])));
  return questionnaireOf(filledWith(bundle, (key) => textIn<string>(tables, locale, key)));
}

/** Validates an author's definition and fills in defaults. Throws an `InvalidDefinition` when it does not match the schemas. */
export function questionnaireOf(authored: QuestionnaireInput): Questionnaire {
  const { success, output, issues } = v.safeParse(questionnaireSchema, authored);
  if (!success) throw new InvalidDefinition(issues.map((issue) => faultOf(issue, authored.questions)));
  const faults: DefinitionFault[] = [];
  const parsed = (item: ContentItem, place: string) => {
    if (!isBlockType(item.type)) {
      faults.push(unknownBlock(item.type, output.questions, place));
      return item;
    }
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
  if (faults.length > 0) throw new InvalidDefinition(faults);
  return { ...output, questions };
}
