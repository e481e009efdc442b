/** Compiles ICU MessageFormat into the data that `#core/text.ts` fills. Runs where texts are loaded (server, build), never in the browser. */
import type { Text, TextNode } from "#core/text.ts";
import { type MessageFormatElement, parse, type PluralOrSelectOption, TYPE } from "@formatjs/icu-messageformat-parser";

/** Inline tags that texts may use: strong, emphasis, English words, no line break. */
const tags: ReadonlySet<string> = new Set(["b", "i", "en", "nw"]);

/** Compiles one message. Without arguments and tags it stays a plain string. Throws for invalid ICU and for forms that the core cannot fill. */
export function compileText(icu: string): Text {
  const nodes = compileElements(parse(icu));
  if (nodes.length === 0) return "";
  const [only] = nodes;
  return nodes.length === 1 && typeof only === "string" ? only : nodes;
}

function compileElements(elements: readonly MessageFormatElement[]): TextNode[] {
  return elements.map((element): TextNode => {
    switch (element.type) {
      case TYPE.literal:
        return element.value;
      case TYPE.argument:
        return ["arg", element.value];
      case TYPE.pound:
        return ["count"];
      case TYPE.plural:
        return ["plural", element.value, element.offset, compileCases(element.options), element.pluralType === "ordinal"];
      case TYPE.select:
        return ["select", element.value, compileCases(element.options)];
      case TYPE.tag:
        if (!tags.has(element.value)) throw new Error(`Unknown tag <${element.value}> in a text`);
        return ["tag", element.value, compileElements(element.children)];
      default:
        // Only `#core/formats.ts` formats numbers, dates and money; texts receive the result.
        throw new Error(`A text cannot format its argument {${element.value}}`);
    }
  });
}

function compileCases(cases: Readonly<Record<string, PluralOrSelectOption>>): Record<string, readonly TextNode[]> {
  return Object.fromEntries(Object.entries(cases).map(([name, { value }]) => [name, compileElements(value)]));
}
