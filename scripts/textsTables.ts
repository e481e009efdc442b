/** Compares a locale's texts with the English ones, for the export, the import and the list of missing texts. */
import type { Locale } from "#core/locales.ts";
import { translationFaults } from "#content/texts/shape.ts";
import type { Exchange, Row } from "./textsExchange.ts";
import { entriesOf, messagesOf, type TextSet, textSets, textSource, withMessages } from "./textsFiles.ts";

/** A locale's texts, in the order of the English ones. */
export function exportedRows(locale: Locale): Row[] {
  return textSets.flatMap((set) => {
    const own = messagesOf(textSource(set, locale));
    return entriesOf(textSource(set, "en-US")).map(({ key, message, heading }) => ({
      set,
      key,
      source: message,
      target: own.get(key) ?? "",
      heading,
    }));
  });
}

/** English keys that a locale's tables lack. */
export function missingKeys(locale: Locale): { readonly set: TextSet; readonly key: string }[] {
  return exportedRows(locale).filter(({ target }) => target === "");
}

interface Imported {
  /** The new source of each table that changes. */
  readonly sources: ReadonlyMap<TextSet, string>;
  /** Number of new or changed texts. */
  readonly changed: number;
  /** Number of rows without a translation. Their texts stay unchanged. */
  readonly empty: number;
  /** Texts whose English has changed since the export. */
  readonly outdated: readonly string[];
}

/** Puts a translator's texts into the locale's tables. Throws a list of all faults if there are any. */
export async function importedSources(locale: Locale, rows: Exchange["rows"]): Promise<Imported> {
  const faults: string[] = [];
  const outdated: string[] = [];
  const filled = rows.filter(({ target }) => target !== "");
  const sources = new Map<TextSet, string>();
  let changed = 0;
  for (const set of textSets) {
    const englishSource = textSource(set, "en-US");
    const english = messagesOf(englishSource);
    const source = textSource(set, locale);
    const before = messagesOf(source);
    const messages = new Map<string, string>();
    for (const { key, target, source: translated } of filled.filter((row) => row.set === set)) {
      const base = english.get(key);
      if (base === undefined) faults.push(`${set} ${key}: unknown key`);
      else if (messages.has(key)) faults.push(`${set} ${key}: appears twice in the file`);
      else {
        faults.push(...translationFaults(target, base, locale).map((reason) => `${set} ${key}: ${reason}`));
        if (translated !== base) outdated.push(`${set} ${key}`);
      }
      messages.set(key, target);
    }
    changed += [...messages].filter(([key, message]) => before.get(key) !== message).length;
    if (faults.length > 0) continue;
    const edited = await withMessages(source, englishSource, messages);
    if (edited !== source) sources.set(set, edited);
  }
  if (faults.length > 0) throw new Error(`Nothing was imported into ${locale}:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  return { sources, changed, empty: rows.length - filled.length, outdated };
}
