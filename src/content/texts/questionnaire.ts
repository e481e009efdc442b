/** The questionnaires' texts. en-US names the keys; a missing or superfluous key in another locale does not compile. */
import type { TextTables } from "./lookup.ts";
import { texts as enUS } from "./questionnaire/en-US.ts";
import { texts as es419 } from "./questionnaire/es-419.ts";

export type TextKey = keyof typeof enUS;

export const questionnaireTexts: TextTables<TextKey> = { "en-US": enUS, "es-419": es419 };
