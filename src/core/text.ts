/**
 * Texts in ICU MessageFormat. The build compiles them into data (`#content/texts/compile.ts`); this module fills in their arguments. A text without
 * arguments stays a plain string.
 */
import { memoize } from "./memoize.ts";

export type TextNode =
  | string
  /** `{NAME}` */
  | readonly ["arg", string]
  /** `{NAME, plural, …}` and `selectordinal`: name, offset, cases, ordinal */
  | readonly ["plural", string, number, Readonly<Record<string, readonly TextNode[]>>, boolean]
  /** `{NAME, select, …}` */
  | readonly ["select", string, Readonly<Record<string, readonly TextNode[]>>]
  /** `#` inside a plural */
  | readonly ["count"]
  /** `<b>…</b>` and the other inline tags (`b`, `i`, `en` for English words, `nw` for no line break) */
  | readonly ["tag", string, readonly TextNode[]];

export type Text = string | readonly TextNode[];

/** Values of a text's arguments. Numbers are formatted for the locale and select plurals; strings are inserted unchanged. */
export type TextValues = Readonly<Record<string, string | number | undefined>>;

/** A filled text: strings, and tags around filled texts. */
export type TextPart = string | { readonly tag: string; readonly parts: readonly TextPart[] };

/**
 * Fills a text. A missing value gives an empty string, never the argument's name, and the comma before it is removed. So "Un último paso, {FIRSTNAME}" becomes
 * "Un último paso" for a visitor who came by a link. (The checker proves that no value is missing on a path through the questions.)
 */
export function fillText(text: Text, values: TextValues, intlLocale: string): readonly TextPart[] {
  if (typeof text === "string") return [text];
  return fillNodes(text, values, intlLocale, undefined);
}

/** Like `fillText` but without tags, for attributes, titles and mail subjects. */
export function plainText(text: Text, values: TextValues, intlLocale: string): string {
  return flatten(fillText(text, values, intlLocale));
}

function flatten(parts: readonly TextPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : flatten(part.parts))).join("");
}

function fillNodes(nodes: readonly TextNode[], values: TextValues, locale: string, count: number | undefined): TextPart[] {
  return nodes.flatMap((node, index): TextPart[] => {
    if (typeof node === "string") return [isUnknown(nodes[index + 1], values) ? node.replace(/,\s+$/, "") : node];
    switch (node[0]) {
      case "arg": {
        const value = values[node[1]];
        return [typeof value === "number" ? numberFormat(locale).format(value) : (value ?? "")];
      }
      case "count":
        return [count === undefined ? "" : numberFormat(locale).format(count)];
      case "plural": {
        const [, name, offset, cases, ordinal] = node;
        const value = Number(values[name] ?? 0);
        const rule = (ordinal ? ordinals : cardinals)(locale).select(value - offset);
        return fillNodes(cases[`=${value}`] ?? cases[rule] ?? cases["other"] ?? [], values, locale, value - offset);
      }
      case "select": {
        const [, name, cases] = node;
        return fillNodes(ownCase(cases, String(values[name])) ?? cases["other"] ?? [], values, locale, count);
      }
      case "tag":
        return [{ tag: node[1], parts: fillNodes(node[2], values, locale, count) }];
    }
  });
}

function isUnknown(node: TextNode | undefined, values: TextValues): boolean {
  return typeof node === "object" && node[0] === "arg" && (values[node[1]] ?? "") === "";
}

const numberFormat = memoize((locale: string) => new Intl.NumberFormat(locale));
const cardinals = memoize((locale: string) => new Intl.PluralRules(locale));
const ordinals = memoize((locale: string) => new Intl.PluralRules(locale, { type: "ordinal" }));

/** Own properties only: a value such as "constructor" must not match an inherited one. */
function ownCase(cases: Readonly<Record<string, readonly TextNode[]>>, name: string): readonly TextNode[] | undefined {
  return Object.hasOwn(cases, name) ? cases[name] : undefined;
}

/** Words and amounts that must not break across lines: "E-Mail-Adresse", "terça-feira", and amounts with a separate currency sign, "§ 25". */
export const unbreakable =
  /(e-mail(?:-\p{L}+)?|(?:segunda|terça|quarta|quinta|sexta)s?-feiras?|R\$\s\d+(?:[.,]\d+)*|[\d.,]{1,12}\s€|§{1,2}\s\d+)/iu;
