/** Turns the message tables into texts that can be filled. */
import type { Locale } from "#core/locales.ts";
import type { Text } from "#core/text.ts";
import { brand } from "../brand.ts";
import { compileText } from "./compile.ts";
import { lookUp, type TextTables } from "./lookup.ts";

/** A message (ICU) with the brand's name filled in. */
const compileMessage = (message: string): Text => compileText(message.replaceAll("{BRAND}", brand.name));

/** One text in a locale, with the brand's name filled in. */
export function textIn<Key extends string>(tables: TextTables<Key>, locale: Locale, key: Key, warn?: (message: string) => void): Text {
  return compileMessage(lookUp(tables, locale, key, warn));
}

/** All texts of a set by locale; the keys of `base` define the set. Returns the same object for every call with a locale. */
export function textsOf<Key extends string>(
  base: Readonly<Record<Key, string>>,
  tables: TextTables<Key>,
): (locale: Locale) => Readonly<Record<Key, Text>> {
  const built = new Map<Locale, Readonly<Record<Key, Text>>>();
  return (locale) => {
    const known = built.get(locale);
    if (known) return known;
    const texts: Record<Key, Text> = { ...base };
    for (const key in base) texts[key] = textIn(tables, locale, key);
    built.set(locale, texts);
    return texts;
  };
}
