import { type Locale, localeTraits } from "#core/locales.ts";

/** Texts by locale. A locale that is still being translated is absent. */
export type TextTables<Key extends string> = Readonly<Partial<Record<Locale, Readonly<Record<Key, string>>>>>;

/**
 * The message for a key: the locale's own, else the first in its fallback order, else the key itself (spec 000 §8, §9). Reports every fallback with
 * `warn`.
 */
export function lookUp<Key extends string>(
  tables: TextTables<Key>,
  locale: Locale,
  key: Key,
  warn: (message: string) => void = console.warn,
): string {
  const tried = new Set<Locale>();
  for (let at = locale; !tried.has(at); at = localeTraits[at].fallback) {
    const table: Readonly<Partial<Record<Key, string>>> | undefined = tables[at];
    const message = table?.[key];
    if (message !== undefined) {
      if (at !== locale) warn(`Missing text "${key}" in ${locale}, taken from ${at}`);
      return message;
    }
    tried.add(at);
  }
  warn(`Missing text "${key}" in ${locale}`);
  return key;
}
