/** Which texts nothing uses. Building the questionnaires records the keys that they ask for; sources are searched for keys and for templates of keys. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { authoredAs, versions } from "#content/questionnaires/index.ts";
import { errorCodes } from "#core/errors.ts";
import { messagesOf, type TextSet, textSource } from "./textsFiles.ts";

const source = join(import.meta.dirname, "../src");

/** Keys that are made from a table: a key whose row is missing is unused, whatever the sources contain. */
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

/** What stands between quotes and could be a key. Quotes are not paired: an apostrophe in a comment would upset it. */
const quoted = /(?<=["'`])[\w./-]+(?=["'`])/g;
/** Templates with something to fill in; what is filled in may hold quotes and braces, but no template. */
const template = /`((?:[^`\\$\n]|\$(?!\{))*\$\{[^`\n]*)`/g;

/** Whether a source uses a key: as a string, by a template that can become it, or by a table. */
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

/** What a template can become, if it begins like a key; each gap stands for one word, so that longer keys are not taken for it. */
function patternOf(inside: string): RegExp[] {
  const parts = inside.split(/\$\{[^}]*\}/);
  if (!/^[a-zA-Z][\w-]*[._]/.test(parts[0] ?? "")) return [];
  return [new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[\\w/-]+")}$`)];
}
