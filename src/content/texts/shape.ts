/** What a translation must share with the English text. Translators may move words, but not change placeholders. */
import { type Locale, localeTraits } from "#core/locales.ts";
import { levels } from "#core/questionnaire/levels.ts";
import type { Text, TextNode } from "#core/text.ts";
import { compileText } from "./compile.ts";

/** Tags that must also be in the English text; `en` and `nw` are up to each language. */
const sharedTags: ReadonlySet<string> = new Set(["b", "i"]);

interface Shape {
  readonly arguments: Set<string>;
  readonly tags: Set<string>;
  /** Cases of selects by argument. */
  readonly selects: Map<string, Set<string>>;
  readonly pluralCases: { readonly name: string; readonly ordinal: boolean }[];
}

/** Names of a text's arguments. */
export function argumentsOf(text: Text): ReadonlySet<string> {
  return shapeOf(text).arguments;
}

/** The reasons why a message cannot replace the English one; empty when it can. The English message must be valid. */
export function translationFaults(message: string, english: string, locale: Locale): string[] {
  let own: Shape;
  try {
    own = shapeOf(compileText(message));
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  const base = shapeOf(compileText(english));
  const cases = ({ ordinal }: { ordinal: boolean }) =>
    new Intl.PluralRules(localeTraits[locale].intl, { type: ordinal ? "ordinal" : "cardinal" }).resolvedOptions().pluralCategories;
  return [
    ...unequal("argument", withoutForm(own.arguments), withoutForm(base.arguments), (name) => `{${name}}`),
    ...unequal("tag", own.tags, base.tags, (name) => `<${name}>`),
    ...[...own.selects].flatMap(([argument, names]) => {
      // A level key has the same values in every language.
      const known = argument.endsWith("_KEY") ? new Set<string>([...levels, "other"]) : base.selects.get(argument);
      return known === undefined ? [] : [...names.difference(known)].map((name) => `{${argument}} has no case "${name}"`);
    }),
    ...own.pluralCases
      .filter((plural) => !plural.name.startsWith("=") && !cases(plural).some((name) => name === plural.name))
      .map(({ name }) => `${locale} has no plural case "${name}"`),
  ];
}

function shapeOf(text: Text): Shape {
  const shape: Shape = { arguments: new Set(), tags: new Set(), selects: new Map(), pluralCases: [] };
  if (typeof text !== "string") collect(text, shape);
  return shape;
}

function collect(nodes: readonly TextNode[], shape: Shape): void {
  for (const node of nodes) {
    if (typeof node === "string" || node[0] === "count") continue;
    if (node[0] === "tag") {
      if (sharedTags.has(node[1])) shape.tags.add(node[1]);
      collect(node[2], shape);
      continue;
    }
    shape.arguments.add(node[1]);
    if (node[0] === "arg") continue;
    const cases = node[0] === "plural" ? node[3] : node[2];
    const names = Object.keys(cases);
    if (node[0] === "plural") shape.pluralCases.push(...names.map((name) => ({ name, ordinal: node[4] })));
    else shape.selects.set(node[1], new Set([...(shape.selects.get(node[1]) ?? []), ...names]));
    for (const inner of Object.values(cases)) collect(inner, shape);
  }
}

/**
 * Where English inserts a level's name (`{INITIAL_LEVEL}`), another language may choose words by the level's key (`{INITIAL_LEVEL_KEY, select, …}`).
 * A language that does not write D/M/YYYY (English, German) takes a date in words (`{START_DATE_LONG}`). Either form counts as the same placeholder.
 */
function withoutForm(names: ReadonlySet<string>): Set<string> {
  return new Set([...names].map((name) => name.replace(/_(KEY|LONG)$/, "")));
}

function unequal(what: string, own: Set<string>, base: Set<string>, written: (name: string) => string): string[] {
  return [
    ...[...base.difference(own)].map((name) => `lacks the ${what} ${written(name)}`),
    ...[...own.difference(base)].map((name) => `has the ${what} ${written(name)}, which English does not have`),
  ];
}
