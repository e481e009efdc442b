/** The contents that the renderer uses. The development server can replace them. */
import { questionnaireFor, type Version } from "#content/questionnaires/index.ts";
import { type UiKey, uiTexts } from "#content/texts/ui.ts";
import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { Text } from "#core/text.ts";

export interface Contents {
  readonly uiTexts: (locale: Locale) => Readonly<Record<UiKey, Text>>;
  /** The same object every time. */
  readonly questionnaireFor: (version: Version, locale: Locale) => Questionnaire;
}

export const contents: Contents = { uiTexts, questionnaireFor };
