import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { type Questionnaire, questionnaireSchema } from "#core/questionnaire/definition.ts";
import { locales } from "#core/locales.ts";
import * as v from "valibot";
import { expect, test } from "vitest";
import { type LaterContents, withLaterContents, withoutLaterContents } from "../laterContents.ts";
import { contentTable, moduleCode, questionnaireModules, textsModules } from "./contentSource.ts";

const laterSchema = v.custom<LaterContents>((value) => typeof value === "object" && value !== null);

test("each version is two modules of its own in every locale that together are all of it (spec 000 §7)", () => {
  const table = contentTable();
  for (const version of versions)
    for (const locale of locales) {
      const { first, later } = questionnaireModules(version, locale);
      const definition = v.parse(questionnaireSchema, table.get(first)?.());
      expect(withLaterContents(definition, v.parse(laterSchema, table.get(later)?.()))).toEqual(questionnaireFor(version, locale));
    }
});

test("the first module is enough for the engine: it has all contents' types and requirements", () => {
  for (const version of versions) {
    const whole = questionnaireFor(version, "en-US");
    const outlines = (definition: Questionnaire) =>
      definition.questions.map(({ contents }) => contents.map(({ type, requirements }) => ({ type, requirements })));
    expect(outlines(withoutLaterContents(whole))).toEqual(outlines(whole));
  }
});

test("a locale's two modules of interface texts together have all of them", () => {
  const table = contentTable();
  for (const locale of locales) {
    const { first, more } = textsModules(locale);
    expect({ ...Object(table.get(first)?.()), ...Object(table.get(more)?.()) }).toEqual(uiTexts(locale));
  }
});

test("a module's code evaluates to its value", async () => {
  const value = { text: 'a "quoted" </script> line\u2028 and more', list: [1, null] };
  const module: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(moduleCode(value))}`);
  expect(module).toMatchObject({ default: value });
});
