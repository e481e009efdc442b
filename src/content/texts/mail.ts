/** The texts of the mails. en-US defines the keys; a missing or extra key in another locale does not compile. */
import type { TextTables } from "./lookup.ts";
import { textsOf } from "./load.ts";
import { texts as deDE } from "./mail/de-DE.ts";
import { type MailKey, texts as enUS } from "./mail/en-US.ts";
import { texts as es419 } from "./mail/es-419.ts";
import { texts as esES } from "./mail/es-ES.ts";
import { texts as itIT } from "./mail/it-IT.ts";
import { texts as ptBR } from "./mail/pt-BR.ts";

export type { MailKey };

export const mailTables: TextTables<MailKey> = {
  "en-US": enUS,
  "es-419": es419,
  "es-ES": esES,
  "pt-BR": ptBR,
  "it-IT": itIT,
  "de-DE": deDE,
};

/** All mail texts of a locale. */
export const mailTexts = textsOf(enUS, mailTables);
