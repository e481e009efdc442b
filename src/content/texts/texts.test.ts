/** What holds for every table of texts, whatever they are about. */
import { locales } from "#core/locales.ts";
import { placeholders } from "#core/questionnaire/placeholders.ts";
import { describe, expect, it } from "vitest";
import { brand } from "../brand.ts";
import { compileText } from "./compile.ts";
import { mailTables, mailTexts } from "./mail.ts";
import { questionnaireTexts } from "./questionnaire.ts";
import { argumentsOf, misfits } from "./shape.ts";
import { uiTables, uiTexts } from "./ui.ts";

const tables = { questionnaire: questionnaireTexts, ui: uiTables, mail: mailTables };
const rows = Object.entries(tables).flatMap(([name, byLocale]) =>
  locales.flatMap((locale) =>
    byLocale[locale]
      ? [{ name, locale, base: Object.entries(byLocale["en-US"] ?? {}), own: new Map(Object.entries(byLocale[locale])) }]
      : [],
  ),
);

describe.each(rows)("$name texts in $locale", ({ name, locale, base, own }) => {
  it("take the same arguments and tags as in English", () => {
    for (const [key, message] of base) expect([key, misfits(own.get(key) ?? "", message, locale)]).toEqual([key, []]);
  });

  it("have words for every key, without stray spaces and with typographic apostrophes", () => {
    for (const [key, message] of own) {
      expect(message.trim(), key).toBe(message);
      expect(message, key).not.toBe("");
      expect(message, key).not.toMatch(/ {2}|\w'\w|\.\.\./);
    }
  });

  it("have no space before punctuation", () => {
    for (const [key, message] of own) expect(message, key).not.toMatch(/\s[,.;:!?](\s|$)/);
  });

  if (name === "questionnaire") {
    it("use only placeholders that the engine fills", () => {
      const known = [...Object.keys(placeholders), "BRAND"];
      for (const [key, message] of own) for (const argument of argumentsOf(compileText(message))) expect(known, key).toContain(argument);
    });
  }
});

it("puts the brand's name in when texts are loaded", () => {
  expect(uiTexts("es-419")["shell.home"]).toContain(brand.name);
  expect(JSON.stringify([uiTexts("en-US"), mailTexts("en-US")])).not.toContain("BRAND");
});
