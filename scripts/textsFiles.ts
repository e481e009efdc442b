/** Reads and edits the tables of texts as source code, to keep order, comments and format. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLocale, type Locale } from "#core/locales.ts";
import { format } from "oxfmt";
import * as v from "valibot";

/** The type of the keys in each folder of `src/content/texts`. */
const keyTypes = { questionnaire: "TextKey", ui: "UiKey", mail: "MailKey" } as const;
export type TextSet = keyof typeof keyTypes;
export const textSets = ["questionnaire", "ui", "mail"] as const satisfies readonly TextSet[];

/** A text in its source file. */
export interface Entry {
  readonly key: string;
  readonly message: string;
  /** The comment above its group. */
  readonly heading: string;
  /** Offsets of the key and its literal in the source. */
  readonly start: number;
  readonly literalStart: number;
  readonly end: number;
}

const root = join(import.meta.dirname, "..");

export function textFile(set: TextSet, locale: string): string {
  return join(root, "src/content/texts", set, `${locale}.ts`);
}

/** The source of a table; an empty table when the locale has none. */
export function textSource(set: TextSet, locale: Locale): string {
  const file = textFile(set, locale);
  if (existsSync(file)) return readFileSync(file, "utf8");
  return `import type { ${keyTypes[set]} } from "../${set}.ts";\n\nexport const texts = {} satisfies Record<${keyTypes[set]}, string>;\n`;
}

const linePattern = /^[ \t]*(?:\/\/ *(?<heading>.*)|(?<key>"[^"\n]+"|[\w$]+):\s*(?<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))/gmu;

/** All texts in a table's source, in order. */
export function entriesOf(source: string): Entry[] {
  const entries: Entry[] = [];
  let heading = "";
  for (const match of source.matchAll(linePattern)) {
    const { heading: comment, key, literal } = match.groups ?? {};
    if (comment !== undefined) heading = comment;
    if (key === undefined || literal === undefined) continue;
    const end = match.index + match[0].length;
    entries.push({
      key: key.replaceAll('"', ""),
      message: messageOf(literal),
      heading,
      start: match.index + match[0].indexOf(key),
      literalStart: end - literal.length,
      end,
    });
  }
  return entries;
}

/** A table's messages by key. */
export function messagesOf(source: string): ReadonlyMap<string, string> {
  return new Map(entriesOf(source).map(({ key, message }) => [key, message]));
}

const jsonString = v.pipe(v.string(), v.parseJson(), v.string());

function messageOf(literal: string): string {
  const inside = literal.slice(1, -1);
  return v.parse(jsonString, literal.startsWith('"') ? literal : `"${inside.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
}

/** The string literal of a message. Invisible characters are escaped. */
function literalOf(message: string): string {
  return JSON.stringify(message).replace(
    /[\u00a0\u00ad\u2000-\u200f\u2028\u2029\u202f\u2060\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A table's source with new messages, formatted. Unchanged texts keep their form. A new key is inserted in the English order, under the
 * same comment. Keys without an English text are removed.
 */
export async function withMessages(source: string, english: string, messages: ReadonlyMap<string, string>): Promise<string> {
  let edited = source;
  // Edits from the end, so that earlier offsets stay valid.
  for (const { key, message, literalStart, end } of entriesOf(source).toReversed()) {
    const wanted = messages.get(key) ?? message;
    if (wanted !== message) edited = edited.slice(0, literalStart) + literalOf(wanted) + edited.slice(end);
  }
  const present = messagesOf(source);
  const wanted = entriesOf(english);
  for (const [index, { key }] of wanted.entries()) {
    const message = messages.get(key);
    if (message !== undefined && !present.has(key)) edited = inserted(edited, english, wanted, index, message);
  }
  if (edited === source) return source;
  const { printWidth } = v.parse(formatSchema, readFileSync(join(root, ".oxfmtrc.json"), "utf8"));
  const { code, errors } = await format("texts.ts", edited, { printWidth });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return code;
}

const formatSchema = v.pipe(v.string(), v.parseJson(), v.object({ printWidth: v.number() }));

/** The source with a message for one English entry inserted. */
function inserted(source: string, english: string, entries: readonly Entry[], index: number, message: string): string {
  const entry = entries[index];
  if (entry === undefined) return source;
  const written = `${JSON.stringify(entry.key)}: ${literalOf(message)}`;
  // The English source between this entry and the previous one: a comma, and perhaps an empty line and a comment.
  const gap = english.slice(entries[index - 1]?.end ?? beginningOf(english), entry.start);
  const comment = `// ${entry.heading}\n`;
  if (gap.includes(comment) && source.includes(comment)) return source.replace(comment, () => `${comment}${written},\n`);
  const own = new Map(entriesOf(source).map(({ key, end }) => [key, end]));
  const before = entries.slice(0, index).findLast(({ key }) => own.has(key));
  const at = own.get(before?.key ?? "");
  if (at !== undefined) return `${source.slice(0, at)},${gap.replace(/^,/, "")}${written}${source.slice(at)}`;
  const beginning = beginningOf(source);
  return `${source.slice(0, beginning)}${gap.replace(/^,/, "")}${written},${source.slice(beginning)}`;
}

/** Offset of a table's first entry. */
function beginningOf(source: string): number {
  return source.indexOf("{", source.indexOf("texts =")) + 1;
}

/** Checks a locale's name from the command line or a file. Throws for an unknown one. */
export function knownLocale(name: string | undefined): Locale {
  if (isLocale(name)) return name;
  throw new Error(name === undefined ? "A locale is missing" : `Unknown locale "${name}"`);
}
