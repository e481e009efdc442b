/** Each thing has one name per locale. `glossary.md` lists the names, and those that must not be used instead. */
import { readdirSync, readFileSync } from "node:fs";
import { type Locale, locales } from "#core/locales.ts";
import { describe, expect, it } from "vitest";
import { mailTables } from "./texts/mail.ts";
import { questionnaireTexts } from "./texts/questionnaire.ts";
import { uiTables } from "./texts/ui.ts";

const things = [
  "study plan",
  "subscription",
  "offer",
  "free trial",
  "level test",
  "live lesson",
  "recording",
  "log in",
  "sign up",
  "cancel",
  "refund",
  "receipt",
];

type Row = { readonly thing: string; readonly names: readonly string[]; readonly not: readonly string[] };

function tableOf(locale: Locale): readonly Row[] {
  const glossary = readFileSync(new URL("glossary.md", import.meta.url), "utf8");
  const section = glossary.split(/^## /m).find((part) => part.startsWith(`${locale}\n`)) ?? "";
  const list = (cell = "") => cell.split(",").map((name) => name.trim());
  return [...section.matchAll(/^\| (?!thing|---)(.+?) \| (.+?) \| (.+?) \|$/gm)].map(([, thing = "", names, not]) => ({
    thing,
    names: list(names),
    not: list(not),
  }));
}

/** All texts that a visitor reads in a locale, with their places. */
function wordsOf(locale: Locale): readonly (readonly [string, string])[] {
  const folder = new URL(`legal/${locale}/`, import.meta.url);
  return [
    ...[questionnaireTexts, uiTables, mailTables].flatMap((table) => Object.entries(table[locale] ?? {})),
    ...readdirSync(folder).map((file) => [file, readFileSync(new URL(file, folder), "utf8")] as const),
  ];
}

const asWords = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, "iu");

describe.each(locales)("the glossary of %s", (locale) => {
  const table = tableOf(locale);
  const words = wordsOf(locale);

  it("has one row per thing", () => {
    expect(table.map(({ thing }) => thing)).toEqual(things);
  });

  it("forbids none of its own names", () => {
    const given = table.flatMap(({ names }) => names);
    for (const { not } of table) for (const name of not) expect(given).not.toContain(name);
  });

  it("lists only names that the texts use", () => {
    const all = words.map(([, text]) => text.toLowerCase()).join("\n");
    const idle = table.filter(({ names }) => !names.some((name) => all.includes(name.toLowerCase())));
    expect(idle).toEqual([]);
  });

  it("is followed by the texts, the mails and the legal documents", () => {
    const found = table.flatMap(({ thing, not }) =>
      not.flatMap((name) => words.filter(([, text]) => asWords(name).test(text)).map(([place]) => `${place}: “${name}” for ${thing}`)),
    );
    expect(found).toEqual([]);
  });
});
