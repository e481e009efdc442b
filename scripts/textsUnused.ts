/** Finds unused texts. Building the questionnaires records their keys; other sources are searched for keys and templates of keys. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { authoredAs, versions } from "#content/questionnaires/index.ts";
import { errorCodes } from "#core/errors.ts";
import { messagesOf, type TextSet, textSource } from "./textsFiles.ts";

const source = join(import.meta.dirname, "../src");

/** Keys that are built from the rows of a table. Such a key is unused when its row is missing, whatever the sources contain. */
const tables: readonly { readonly pattern: RegExp; readonly has: (part: string) => boolean }[] = [
  { pattern: /^error\.(\d+)$/, has: (code) => Object.hasOwn(errorCodes, code) },
];

/** Keys of English texts that nothing uses, by set. */
export function unusedKeys(): Readonly<Record<TextSet, readonly string[]>> {
  const said = new Set<string>();
  for (const version of versions) authoredAs(version, (key) => (said.add(key), key));
  const needed = keysNeededBy(sources(source));
  const mails = keysNeededBy(sources(join(source, "server/mail")));
  return {
    questionnaire: keysOf("questionnaire").filter((key) => !said.has(key)),
    ui: keysOf("ui").filter((key) => !needed(key)),
    mail: keysOf("mail").filter((key) => !mails(key)),
  };
}

function keysOf(set: TextSet): string[] {
  return [...messagesOf(textSource(set, "en-US")).keys()];
}

/** Program sources, without tests and without the texts themselves. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /(?<!\.test)\.tsx?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => !file.includes("/content/texts/"))
    .map((file) => readFileSync(file, "utf8"));
}

/** Possible keys between quotes. Quotes are not paired, because of apostrophes in comments. */
const quoted = /(?<=["'`])[\w./-]+(?=["'`])/g;
/** Template literals with placeholders. A placeholder may contain quotes and braces, but no template. */
const template = /`((?:[^`\\$\n]|\$(?!\{))*\$\{[^`\n]*)`/g;

/** A test whether any source uses a key: as a string, by a matching template, or by a table. */
export function keysNeededBy(texts: readonly string[]): (key: string) => boolean {
  const strings = new Set(texts.flatMap((text) => [...text.matchAll(quoted)].map(([string]) => string)));
  const patterns = texts.flatMap((text) => [...text.matchAll(template)].flatMap((match) => patternOf(match[1] ?? "")));
  return (key) => {
    for (const { pattern, has } of tables) {
      const part = pattern.exec(key)?.[1];
      if (part !== undefined) return has(part) || strings.has(key);
    }
    return strings.has(key) || patterns.some((pattern) => pattern.test(key));
  };
}

/** A pattern of a template's possible keys, if it begins like a key. A placeholder matches one word, so longer keys do not match. */
function patternOf(inside: string): RegExp[] {
  const parts = inside.split(/\$\{[^}]*\}/);
  if (!/^[a-zA-Z][\w-]*[._]/.test(parts[0] ?? "")) return [];
  return [new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[\\w/-]+")}$`)];
}
