import { questionnaireFor, versions } from "#content/questionnaires/index.ts";
import { uiTexts } from "#content/texts/ui.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { locales, perLocale } from "#core/locales.ts";
import { pathTables, rows } from "#core/routeTable.ts";
import { pathIn } from "#core/routes.ts";
import * as v from "valibot";
import { expect, test } from "vitest";
import { type LaterContents, takeLaterContents, withoutLaterContents } from "../laterContents.ts";
import { contentTable, moduleCode, questionnaireModules, routeTableCode, textsModules, type TextsModule } from "./contentSource.ts";

const context = { locale: "en-US", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-01-15" } as const;
const outlineSchema = v.custom<Questionnaire>((value) => typeof value === "object" && value !== null);
const laterSchema = v.custom<LaterContents>((value) => typeof value === "object" && value !== null);
const textsModuleSchema = v.custom<TextsModule>((value) => typeof value === "object" && value !== null);
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("each version is two modules of its own in every locale that together are all of it (spec 000 §7)", () => {
  const table = contentTable();
  for (const version of versions)
    for (const locale of locales) {
      const { first, later } = questionnaireModules(version, locale);
      const outline = v.parse(outlineSchema, asSent(table.get(first)?.()));
      expect(takeLaterContents(outline, v.parse(laterSchema, asSent(table.get(later)?.())))).toEqual(questionnaireFor(version, locale));
    }
});

test("the first module is enough for the engine: every walk through it is the same", () => {
  for (const version of versions) {
    const whole = questionnaireFor(version, "en-US");
    const walks = [0, 1, -1].map((choice) => [whole, withoutLaterContents(whole)].map((definition) => walk(definition, choice)));
    for (const [through, throughOutline] of walks) expect(throughOutline).toEqual(through);
  }
});

/** The states of a visitor who gives the answer at this place of each list, and who chooses a schedule and days. */
function walk(definition: Questionnaire, choice: number): readonly State[] {
  const compiled = compile(definition);
  const states = [initialState(compiled)];
  while (states.length < 200) {
    const state = states.at(-1) ?? initialState(compiled);
    const node = compiled.nodes[state.currentQuestionId];
    if (node === undefined || node.question.type === "ThankYouView") break;
    const options = visibleOptions(compiled, node.question, state, context).filter(
      ({ type }) => type !== "ToHomePage" && type !== "ToPrevious",
    );
    const option = options.at(choice) ?? options[0];
    if (option === undefined) break;
    const events: readonly QuestionnaireEvent[] = [
      ...(node.choosesSchedule ? [{ type: "chooseSchedule", scheduleId: definition.schedules[0]?.id ?? 1 } as const] : []),
      ...(node.choosesDays ? [{ type: "chooseDays", days: [0, 2, 4] } as const] : []),
      { type: "answer", questionId: node.question.id, optionId: option.id },
    ];
    states.push(events.reduce((now, event) => step(compiled, now, event, context).state, state));
  }
  expect(states.length).toBeGreaterThan(10);
  return states;
}

test("a locale's two modules together have all interface texts, and the paths of all pages", () => {
  const table = contentTable();
  for (const locale of locales) {
    const { first, more } = textsModules(locale);
    const modules = [first, more].map((name) => v.parse(textsModuleSchema, asSent(table.get(name)?.())));
    expect(Object.assign({}, ...modules.map(({ texts }) => texts))).toEqual(uiTexts(locale));
    expect(Object.assign({}, ...modules.map(({ paths }) => paths))).toEqual(pathTables);
    expect(modules[0]?.paths).toEqual({ [locale]: pathTables[locale] });
  }
});

test("the browser's table of routes has every route, and in each locale the paths that a first question links to", async () => {
  const code = `data:text/javascript,${encodeURIComponent(routeTableCode())}`;
  const table: unknown = await import(/* @vite-ignore */ code);
  const linked = ["home", "questionnaire/raffle", "questionnaire/root", "questionnaire/question"] as const;
  expect(Object.assign({}, table)).toEqual({
    rows: Object.fromEntries(Object.entries(rows).map(([route, row]) => [route, { ...row, paths: undefined }])),
    pathTables: perLocale((locale) => linked.map((route) => pathIn(locale, route))),
  });
});

test("a module's code evaluates to its value", async () => {
  const value = { text: 'a "quoted" </script> line\u2028 and more', list: [1, null] };
  const module: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(moduleCode(value))}`);
  expect(module).toMatchObject({ default: value });
});
