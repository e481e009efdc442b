import { type MailKey, mailTexts } from "#content/texts/mail.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { plainText, type TextValues } from "#core/text.ts";

/** A mail's text, filled. */
export type Say = (key: MailKey, values?: TextValues) => string;

export function sayIn(locale: Locale): Say {
  const texts = mailTexts(locale);
  return (key, values = {}) => plainText(texts[key], values, localeTraits[locale].intl);
}
