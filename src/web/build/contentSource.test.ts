import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { locales } from "#core/locales.ts";
import { expect, test } from "vitest";
import { contentTable, moduleCode, questionnaireModule, textsModules } from "./contentSource.ts";

test("each version is a module of its own in every locale (spec 000 §7)", () => {
  const table = contentTable();
  for (const version of versions)
    for (const locale of locales) expect(table.get(questionnaireModule(version, locale))?.()).toBe(questionnaireFor(version, locale));
});

test("a locale's interface texts are in two modules that together are all of them", () => {
  const table = contentTable();
  for (const locale of locales) {
    const { first, more } = textsModules(locale);
    expect({ ...Object(table.get(first)?.()), ...Object(table.get(more)?.()) }).toEqual(uiTexts(locale));
  }
});

test("a module's code gives the value back", async () => {
  const value = { text: 'a "quoted" </script> line\u2028 and more', list: [1, null] };
  const module: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(moduleCode(value))}`);
  expect(module).toMatchObject({ default: value });
});
