import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";

/** The questionnaires there are (`#content/questionnaires/index.ts`). */
export interface Questionnaires {
  readonly versions: readonly string[];
  readonly defaultVersion: Readonly<Record<Locale, string>>;
  readonly questionnaireFor: (version: string, locale: Locale) => Questionnaire;
  /** The version as data: the canonical JSON of its bundle, by whose SHA-256 its release is known. */
  readonly bundleOf: (version: string) => { readonly hash: string; readonly json: string };
}
