/** The interface's texts: everything on a page that is not the questionnaire's. en-US names the keys. */
import type { Locale } from "#core/locales.ts";
import type { Text } from "#core/text.ts";
import { compileText } from "./compile.ts";
import { lookUp, type TextTables } from "./lookup.ts";
import { texts as enUS } from "./ui/en-US.ts";
import { texts as es419 } from "./ui/es-419.ts";

export type UiKey = keyof typeof enUS;

const uiTables: TextTables<UiKey> = { "en-US": enUS, "es-419": es419 };

const built = new Map<Locale, Readonly<Record<UiKey, Text>>>();

export function isUiKey(key: string): key is UiKey {
  return Object.hasOwn(enUS, key);
}

export const uiKeys: readonly UiKey[] = Object.keys(enUS).filter(isUiKey);

/** All interface texts of a locale, compiled. The same object every time. */
export function uiTexts(locale: Locale): Readonly<Record<UiKey, Text>> {
  const known = built.get(locale);
  if (known) return known;
  const texts: Record<UiKey, Text> = { ...enUS };
  for (const key of uiKeys) texts[key] = compileText(lookUp(uiTables, locale, key));
  built.set(locale, texts);
  return texts;
}
