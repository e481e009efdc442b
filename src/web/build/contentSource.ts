/** The contents as modules. Runs in Node during a build and in Vite during development. */
import { versions } from "#content/questionnaires/index.ts";
import { isDutyOf } from "#core/duties.ts";
import { type Locale, locales } from "#core/locales.ts";
import { firstPaths, type PathTables, pathTables, rows } from "#core/routeTable.ts";
import type { Text } from "#core/text.ts";
import { contents } from "../contents.ts";
import { laterContents, withoutLaterContents } from "../laterContents.ts";

/** Names of a version's modules in one locale: the definition, and the later contents. */
export function questionnaireModules(version: string, locale: Locale): { readonly first: string; readonly later: string } {
  return { first: `questionnaire-${version}-${locale}`, later: `contents-${version}-${locale}` };
}
/** Names of the two modules with a locale's interface texts: `first` with the texts that a question page needs at once, `more` with all others. */
export function textsModules(locale: Locale): { readonly first: string; readonly more: string } {
  return { first: `texts-${locale}`, more: `more-texts-${locale}` };
}
/** Keys of the texts in the first module. The second one loads with the other pages and blocks. */
const firstTexts = /^(shell\.|consent\.settings$|question\.|problem\.|signup\.|validator_|meta\.questionnaire\/question\.title$)/;
/** The texts of a link that only some countries' law demands (`DutyLinks.tsx`). Only the locales of those countries load them with the first page. */
const doNotSellTexts = /^shell\.duty\.(doNotSell|notSold)$/;
const isFirst = (key: string, locale: Locale) => firstTexts.test(key) && (isDutyOf(locale, "doNotSell") || !doNotSellTexts.test(key));

function textsOf({ uiTexts }: typeof contents, locale: Locale, first: boolean): Readonly<Record<string, Text>> {
  return Object.fromEntries(Object.entries(uiTexts(locale)).filter(([key]) => isFirst(key, locale) === first));
}

/** What a locale's module of texts exports. Its first module has the locale's own paths, its second module the paths of all other locales. */
export interface TextsModule {
  readonly texts: Readonly<Record<string, Text>>;
  readonly paths: PathTables;
}

function textsModule(from: typeof contents, locale: Locale, first: boolean): TextsModule {
  const paths = Object.fromEntries(Object.entries(pathTables).filter(([of]) => (of === locale) === first));
  return { texts: textsOf(from, locale, first), paths };
}

/** Code in place of `core/routeTable.ts` in the browser, where most visitors need the paths of one locale only. */
export function routeTableCode(): string {
  const withoutPaths = JSON.stringify(rows, (key, value: unknown) => (key === "paths" ? undefined : value));
  return `export const rows = ${withoutPaths};\nexport const pathTables = ${JSON.stringify(firstPaths())};\n`;
}

/** Module name → its default export. */
export function contentTable(from = contents): ReadonlyMap<string, () => unknown> {
  const table = new Map<string, () => unknown>();
  for (const locale of locales) {
    table.set(textsModules(locale).first, () => textsModule(from, locale, true));
    table.set(textsModules(locale).more, () => textsModule(from, locale, false));
    for (const version of versions) {
      const { first, later } = questionnaireModules(version, locale);
      table.set(first, () => withoutLaterContents(from.questionnaireFor(version, locale)));
      table.set(later, () => laterContents(from.questionnaireFor(version, locale)));
    }
  }
  return table;
}

/** A module's code. Browsers parse `JSON.parse('…')` faster than a literal. Single quotes leave JSON's double quotes unescaped. */
export function moduleCode(value: unknown): string {
  const json = JSON.stringify(value)
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `export default JSON.parse('${json}');\n`;
}
