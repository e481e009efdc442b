import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";

/** All questionnaires (`#content/questionnaires/index.ts`). */
export interface Questionnaires {
  readonly versions: readonly string[];
  readonly defaultVersion: Readonly<Record<Locale, string>>;
  readonly questionnaireFor: (version: string, locale: Locale) => Questionnaire;
  /** Parses a bundle's canonical JSON. Throws when it does not match this build's schemas. */
  readonly questionnaireOf: (json: string, locale: Locale) => Questionnaire;
  /** The version's bundle as canonical JSON, and its SHA-256, which identifies the release. */
  readonly bundleOf: (version: string) => { readonly hash: string; readonly json: string };
}
