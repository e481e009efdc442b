/**
 * The pseudo-locale (`?pseudo` in development): every text gets accents, brackets and 40 % more length. Text without accents is hard-coded,
 * text without a bracket is cut off, and a broken layout would also break in German. Builds do not contain it.
 */
import { questionnaireIn, type Version } from "#content/questionnaires/index.ts";
import { textIn } from "#content/texts/load.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { type UiKey, uiTexts } from "#content/texts/ui.ts";
import type { Locale } from "#core/locales.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { Text, TextNode } from "#core/text.ts";
import type { Contents } from "../contents.ts";

const plain = "aceinosuyzACEINOSUYZ";
const accented = "åçéîñöšûýžÅÇÉÎÑÖŠÛÝŽ";

/** A text in the pseudo-locale. Placeholders stay unchanged. */
export function pseudoText(text: Text): Text {
  if (typeof text === "string") return `[${longer(text)}]`;
  return ["[", ...text.map(pseudoNode), "]"];
}

function pseudoNode(node: TextNode): TextNode {
  if (typeof node === "string") return longer(node);
  switch (node[0]) {
    case "arg":
    case "count":
      return node;
    case "tag":
      return ["tag", node[1], node[2].map(pseudoNode)];
    case "select":
      return ["select", node[1], pseudoCases(node[2])];
    case "plural":
      return ["plural", node[1], node[2], pseudoCases(node[3]), node[4]];
  }
}

function pseudoCases(cases: Readonly<Record<string, readonly TextNode[]>>): Record<string, readonly TextNode[]> {
  return Object.fromEntries(Object.entries(cases).map(([name, nodes]) => [name, nodes.map(pseudoNode)]));
}

/** Doubles every second letter and no digit. With the spaces, a text grows by about 40 %. */
function longer(text: string): string {
  let letters = 0;
  return text.replace(/\p{L}/gu, (letter) => {
    letters += 1;
    const shown = accented[plain.indexOf(letter)] ?? letter;
    return letters % 2 === 1 ? shown + shown.toLowerCase() : shown;
  });
}

const ui = new Map<Locale, Readonly<Record<UiKey, Text>>>();
const questionnaires = new Map<string, Questionnaire>();

export const pseudoContents: Contents = {
  uiTexts(locale) {
    const known = ui.get(locale);
    if (known) return known;
    const texts = { ...uiTexts(locale) };
    for (const [key, text] of Object.entries(texts)) Object.assign(texts, { [key]: pseudoText(text) });
    ui.set(locale, texts);
    return texts;
  },
  questionnaireFor(version: Version, locale) {
    const key = `${version} ${locale}`;
    const known = questionnaires.get(key);
    if (known) return known;
    const questionnaire = questionnaireIn(version, (text) => pseudoText(textIn(questionnaireTexts, locale, text)));
    questionnaires.set(key, questionnaire);
    return questionnaire;
  },
};
