/** The texts of the questionnaires. en-US defines the keys; a missing or extra key in another locale does not compile. */
import type { TextTables } from "./lookup.ts";
import { texts as deDE } from "./questionnaire/de-DE.ts";
import { type TextKey, texts as enUS } from "./questionnaire/en-US.ts";
import { texts as es419 } from "./questionnaire/es-419.ts";
import { texts as esES } from "./questionnaire/es-ES.ts";
import { texts as itIT } from "./questionnaire/it-IT.ts";
import { texts as ptBR } from "./questionnaire/pt-BR.ts";

export type { TextKey };

export const questionnaireTexts: TextTables<TextKey> = {
  "en-US": enUS,
  "es-419": es419,
  "es-ES": esES,
  "pt-BR": ptBR,
  "it-IT": itIT,
  "de-DE": deDE,
};
