/** Rules for every table of texts. */
import { type Language, type Locale, locales } from "#core/locales.ts";
import { plainText } from "#core/text.ts";
import { placeholders } from "#core/questionnaire/placeholders.ts";
import { describe, expect, it } from "vitest";
import { brand } from "../brand.ts";
import { compileText } from "./compile.ts";
import { mailTables, mailTexts } from "./mail.ts";
import { textIn } from "./load.ts";
import { questionnaireTexts } from "./questionnaire.ts";
import { argumentsOf, translationFaults } from "./shape.ts";
import { uiTables, uiTexts } from "./ui.ts";

const tables = { questionnaire: questionnaireTexts, ui: uiTables, mail: mailTables };
const rows = Object.entries(tables).flatMap(([name, byLocale]) =>
  locales.flatMap((locale) =>
    byLocale[locale]
      ? [{ name, locale, base: Object.entries(byLocale["en-US"] ?? {}), own: new Map(Object.entries(byLocale[locale])) }]
      : [],
  ),
);

/** Common words of each language that none of our other languages has. */
const everyday: Readonly<Record<Language, RegExp>> = {
  en: /\b(the|your|you|and|with)\b/gi,
  es: /\b(el|los|tu|y|con|del)\b/gi,
  pt: /\b(você|seu|sua|uma|não|do|em)\b/gi,
  it: /\b(il|che|di|per|tuo|tua|gli)\b/gi,
  de: /\b(und|du|dein|deine|die|der|mit)\b/gi,
};

/** Punctuation that takes a narrow no-break space before it: French ";:!?". */
const spacedPunctuation: Readonly<Record<Locale, string>> = {
  "en-US": "",
  "es-419": "",
  "es-ES": "",
  "pt-BR": "",
  "it-IT": "",
  "de-DE": "",
};

describe.each(rows)("$name texts in $locale", ({ name, locale, base, own }) => {
  it("are written in the locale's language only", () => {
    const words = [...own.values()].join("\n");
    const said = Object.entries(everyday).map(([language, pattern]) => ({ language, times: words.match(pattern)?.length ?? 0 }));
    expect(said.toSorted((a, b) => b.times - a.times)[0]?.language).toBe(locale.slice(0, 2));
    for (const other of rows.filter((row) => row.name === name && row.locale !== locale)) expect([...other.own]).not.toEqual([...own]);
  });

  it("take the same arguments and tags as in English", () => {
    for (const [key, message] of base) expect([key, translationFaults(own.get(key) ?? "", message, locale)]).toEqual([key, []]);
  });

  it("have a text for every key, without stray spaces and with typographic apostrophes", () => {
    for (const [key, message] of own) {
      expect(message.trim(), key).toBe(message);
      expect(message, key).not.toBe("");
      expect(message, key).not.toMatch(/ {2}|\w'\w|\.\.\./);
    }
  });

  it("have no space before punctuation", () => {
    for (const [key, message] of own) {
      const judged = [...spacedPunctuation[locale]].reduce((rest, mark) => rest.replaceAll(`\u202f${mark}`, mark), message);
      expect(judged, key).not.toMatch(/\s[,.;:!?](\s|$)/);
    }
  });

  if (name === "questionnaire") {
    it("use only placeholders that the engine fills", () => {
      const known = [...Object.keys(placeholders), "BRAND"];
      for (const [key, message] of own) for (const argument of argumentsOf(compileText(message))) expect(known, key).toContain(argument);
    });
  }
});

it.each(locales)("does not tell a beginner in %s what they already can do: they may just have denied it", (locale) => {
  const text = (level: string) =>
    plainText(textIn(questionnaireTexts, locale, "initial.text"), { INITIAL_LEVEL_TEXT: "", INITIAL_LEVEL_KEY: level }, locale);
  const said = text("basic").split(". ").at(-1) ?? "";
  expect(said).toMatch(/:$/);
  expect(text("beginner")).not.toContain(said);
});

it("fills in the brand's name when texts are loaded", () => {
  expect(uiTexts("es-419")["shell.home"]).toContain(brand.name);
  expect(JSON.stringify([uiTexts("en-US"), mailTexts("en-US")])).not.toContain("BRAND");
});
