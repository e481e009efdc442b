/** A locale's texts compared with the English ones: which are missing, which go to a translator, which may be imported. */
import type { Locale } from "#core/locales.ts";
import { misfits } from "#content/texts/shape.ts";
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
  /** How many texts are new or other than before. */
  readonly changed: number;
  /** How many came back without a translation; they stay as they are. */
  readonly empty: number;
  /** Texts whose English has changed since the export. */
  readonly outdated: readonly string[];
}

/** The locale's tables with a translator's texts in them. Throws a list of all faults when there is one. */
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
      if (base === undefined) faults.push(`${set} ${key}: is no key`);
      else if (messages.has(key)) faults.push(`${set} ${key}: stands in the file twice`);
      else {
        faults.push(...misfits(target, base, locale).map((reason) => `${set} ${key}: ${reason}`));
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
