/** The mails' texts. en-US names the keys; a missing or superfluous one elsewhere does not compile. */
import type { TextTables } from "./lookup.ts";
import { textsOf } from "./load.ts";
import { texts as enUS } from "./mail/en-US.ts";
import { texts as es419 } from "./mail/es-419.ts";

export type MailKey = keyof typeof enUS;

export const mailTables: TextTables<MailKey> = { "en-US": enUS, "es-419": es419 };

/** All texts of the mails in a locale. */
export const mailTexts = textsOf(enUS, mailTables);
