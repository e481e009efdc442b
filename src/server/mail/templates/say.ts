import { type MailKey, mailTexts } from "#content/texts/mail.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { plainText, type TextValues } from "#core/text.ts";

/** A mail's text with its values filled in. */
export type Say = (key: MailKey, values?: TextValues) => string;

/** Keeps "E-Mail" on one line. `inPlainHyphens` undoes it for subjects and plain text. */
const unbroken = (text: string) => text.replaceAll(/\b(e)-(?=mail)/gi, "$1\u2011");
export const inPlainHyphens = (text: string) => text.replaceAll("\u2011", "-");

export function sayIn(locale: Locale): Say {
  const texts = mailTexts(locale);
  return (key, values = {}) => unbroken(plainText(texts[key], values, localeTraits[locale].intl));
}
