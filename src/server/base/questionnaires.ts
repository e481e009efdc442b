import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";

/** The questionnaires there are (`#content/questionnaires/index.ts`). */
export interface Questionnaires {
  readonly versions: readonly string[];
  readonly defaultVersion: Readonly<Record<Locale, string>>;
  readonly questionnaireFor: (version: string, locale: Locale) => Questionnaire;
}
