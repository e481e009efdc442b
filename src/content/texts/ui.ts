/**
 * The texts of the interface: everything on a page except the questionnaire. en-US defines the keys; a missing or extra key elsewhere does not
 * compile.
 */
import type { TextTables } from "./lookup.ts";
import { textsOf } from "./load.ts";
import { texts as deDE } from "./ui/de-DE.ts";
import { type UiKey, texts as enUS } from "./ui/en-US.ts";
import { texts as es419 } from "./ui/es-419.ts";
import { texts as esES } from "./ui/es-ES.ts";
import { texts as itIT } from "./ui/it-IT.ts";
import { texts as ptBR } from "./ui/pt-BR.ts";

export type { UiKey };

export const uiTables: TextTables<UiKey> = { "en-US": enUS, "es-419": es419, "es-ES": esES, "pt-BR": ptBR, "it-IT": itIT, "de-DE": deDE };

/** All interface texts of a locale. */
export const uiTexts = textsOf(enUS, uiTables);
