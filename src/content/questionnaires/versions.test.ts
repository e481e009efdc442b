/** What holds for every version in every locale that has its texts. */
import { pictures } from "#content/media/manifest.ts";
import { locales } from "#core/locales.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Question, Rule, RuleGroup } from "#core/questionnaire/definition.ts";
import { finalProgramView } from "#core/questionnaire/next.ts";
import { visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import { describe, expect, it } from "vitest";
import { questionnaireTexts, type TextKey } from "../texts/questionnaire.ts";
import { authoredAs, questionnaireFor, versions } from "./index.ts";

const context: Context = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today: "2026-11-20" };
const written = locales.filter((locale) => questionnaireTexts[locale] !== undefined);
/** The rows of design/funnel.md, "Question ids". */
const idRanges: readonly [string, (question: Question) => boolean, number, number][] = [
  ["level questions", ({ type }) => type === "LevelQuestion", 41, 52],
  ["level views", ({ type }) => type === "InitialLevelView" || type === "TargetLevelView", 55, 59],
  ["schedule, days, summary", has("studySchedule", "daySelection", "daySelectionConfirm", "scheduleSummary"), 60, 66],
  ["sign-up", ({ type }) => type === "SignupView", 67, 72],
  ["preparing and thanks", ({ type }) => type === "PreparingProgram" || type === "ThankYouView", 73, 79],
  ["price and payment", has("price", "payment", "paddle"), 80, 89],
];

function has(...types: readonly string[]) {
  return ({ contents }: Question) => contents.some(({ type }) => types.includes(type));
}

/** All values of these fields, however deep. */
function valuesOf(data: unknown, fields: readonly string[]): unknown[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    fields.includes(name) && typeof value === "string" ? [value] : valuesOf(value, fields),
  );
}

function rulesOf(group: RuleGroup | undefined): Rule[] {
  return (group?.rules ?? []).flatMap((rule) => ("rules" in rule ? rulesOf(rule) : [rule]));
}

/** Walks by always choosing the named option (the first where none is named); schedule and days where they are asked for. */
function walk(version: (typeof versions)[number], choose: Readonly<Record<number, number>>): State {
  const compiled = compile(questionnaireFor(version, "es-419"));
  let state = initialState(compiled);
  const go = (event: QuestionnaireEvent) => {
    state = step(compiled, state, event, context).state;
  };
  for (let steps = 0; state.currentQuestionId !== compiled.definition.progress.end; steps++) {
    if (steps > 100) throw new Error(`No end: ${state.visitedQuestionIds.join(" ")}`);
    const question = compiled.question(state.currentQuestionId);
    if (question === undefined) throw new Error(`No question ${state.currentQuestionId}`);
    expect(visibleContents(compiled, question, state, context).length, `contents of ${question.id}`).toBeGreaterThan(0);
    if (has("studySchedule")(question)) go({ type: "chooseSchedule", scheduleId: 2 });
    if (has("daySelection")(question)) go({ type: "chooseDays", days: [0, 1, 3, 5] });
    const options = visibleOptions(compiled, question, state, context);
    const optionId = choose[question.id] ?? options[0]?.id;
    expect(
      options.map(({ id }) => id),
      `options of ${question.id}`,
    ).toContain(optionId);
    go({ type: "answer", questionId: question.id, optionId: optionId ?? 0 });
  }
  return state;
}

describe.each(versions)("version %s", (version) => {
  it.each(written)("fits its schemas in %s", (locale) => {
    expect(questionnaireFor(version, locale).id).toBe(version);
    expect(questionnaireFor(version, locale)).toBe(questionnaireFor(version, locale));
  });

  const definition = questionnaireFor(version, "es-419");
  const ids = new Set(definition.questions.map(({ id }) => id));

  it("keeps to the table of question ids, in ascending order", () => {
    for (const [name, belongs, first, last] of idRanges) {
      for (const question of definition.questions.filter(belongs)) {
        expect(question.id, name).toBeGreaterThanOrEqual(first);
        expect(question.id, name).toBeLessThanOrEqual(last);
      }
    }
    expect([...ids]).toEqual([...ids].toSorted((a, b) => a - b));
    expect(ids.size).toBe(definition.questions.length);
  });

  it("leads only to questions that exist", () => {
    for (const question of definition.questions) {
      const links = [
        ...question.options.map(({ followUpQuestion }) => followUpQuestion),
        ...(question.followUps ?? []).map(({ followUpQuestion }) => followUpQuestion),
      ];
      for (const link of links) if (link !== undefined) expect(ids, `from ${question.id}`).toContain(link);
    }
    if (definition.questions.some(({ type }) => type === "LevelQuestion")) {
      for (const { followUpQuestion } of definition.levelQuestionRules) expect(ids).toContain(followUpQuestion);
      expect(ids).toContain(definition.lastLevelQuestionFollowUpQuestion);
    }
    expect(ids).toContain(definition.shortcutQuestion);
  });

  it("asks in its rules only for questions and options that exist", () => {
    const groups = definition.questions.flatMap(({ contents, options, followUps = [] }) =>
      [...contents, ...options, ...followUps].map(({ requirements }) => requirements),
    );
    for (const { questionId, optionId, lastLevelQuestion } of groups.flatMap(rulesOf)) {
      if (lastLevelQuestion !== undefined) expect(ids).toContain(lastLevelQuestion);
      if (questionId === undefined) continue;
      const question = definition.questions.find(({ id }) => id === questionId);
      expect(question, `question ${questionId}`).toBeDefined();
      if (optionId !== undefined)
        expect(
          question?.options.map(({ id }) => id),
          `options of ${questionId}`,
        ).toContain(optionId);
    }
  });

  it("names only pictures that exist", () => {
    for (const name of valuesOf(definition, ["media", "image", "figure", "picture"])) expect(Object.keys(pictures)).toContain(name);
  });

  it("places everyone: each level question is mapped to exactly one level", () => {
    for (const { id } of definition.questions.filter(({ type }) => type === "LevelQuestion")) {
      expect(
        definition.userLevelMappings.filter(({ first, last }) => first <= id && id <= last),
        `question ${id}`,
      ).toHaveLength(1);
    }
  });
});

it("uses every text in some version", () => {
  const used = new Set<TextKey>();
  for (const version of versions) authoredAs(version, (key) => (used.add(key), key));
  expect(Object.keys(questionnaireTexts["en-US"] ?? {}).filter((key) => ![...used].some((other) => other === key))).toEqual([]);
});

describe("version 76", () => {
  const definition = questionnaireFor("76", "es-419");

  it("is a full conversation: 45 to 60 screens, at least 24 types of block, branches by motive, history and obstacle", () => {
    expect(definition.questions.length).toBeGreaterThanOrEqual(45);
    expect(definition.questions.length).toBeLessThanOrEqual(60);
    expect(new Set(definition.questions.flatMap(({ contents }) => contents.map(({ type }) => type))).size).toBeGreaterThanOrEqual(24);
    const branching = definition.questions.filter(
      ({ type, options, followUps }) =>
        type !== "LevelQuestion" &&
        new Set([...options, ...(followUps ?? [])].flatMap(({ followUpQuestion }) => followUpQuestion ?? [])).size > 1,
    );
    expect(branching.map(({ id }) => id)).toEqual([3, 11, 20, 80]);
  });

  it("rewards six answers", () => {
    expect(definition.questions.flatMap(({ options }) => options.filter(({ reward }) => reward !== undefined))).toHaveLength(6);
  });

  it.each([
    [1, 4],
    [2, 5],
    [3, 6],
    [4, 7],
    [5, 8],
    [6, 9],
  ])("goes from motive %i by way of question %i to the checkout", (motive, question) => {
    const { visitedQuestionIds } = walk("76", { 2: motive });
    expect(visitedQuestionIds.slice(0, 3)).toEqual([2, 3, question]);
    expect(visitedQuestionIds.at(-1)).toBe(80);
  });

  it.each([
    [1, 21],
    [2, 22],
    [3, 23],
    [4, 24],
    [5, 25],
  ])("goes from obstacle %i by way of question %i and answers it", (obstacle, question) => {
    const { visitedQuestionIds } = walk("76", { 20: obstacle });
    expect(visitedQuestionIds.slice(visitedQuestionIds.indexOf(20), visitedQuestionIds.indexOf(20) + 5)).toEqual([
      20,
      question,
      26,
      27,
      28,
    ]);
    expect(visitedQuestionIds.at(-1)).toBe(80);
  });

  it("tells whoever starts from zero how much the languages share", () => {
    expect(walk("76", { 11: 1 }).visitedQuestionIds).toEqual(expect.arrayContaining([11, 14, 15, 20]));
    expect(walk("76", { 11: 2 }).visitedQuestionIds).not.toContain(15);
  });

  it.each([
    ["the first two No", { 41: 3, 42: 3 }, 53, [1, 2, 3]],
    ["one No and two Maybe", { 43: 2, 44: 2, 45: 3 }, 53, [2, 3]],
    ["No and No among the intermediate ones", { 44: 3, 48: 3 }, 53, [3, 4]],
    ["no No at all", {}, 54, [4, 5]],
  ])("finds the level after %s and offers only what lies above it", (_name, answers, found, offered) => {
    const compiled = compile(definition);
    const state = walk("76", answers);
    expect(state.visitedQuestionIds).toContain(found);
    const target = compiled.question(56);
    expect(target && visibleOptions(compiled, target, state, context).map(({ id }) => id)).toEqual(offered);
  });

  it("ends its story in the program view and sells from there", () => {
    const compiled = compile(definition);
    expect(finalProgramView(compiled, initialState(compiled), context)).toBe(80);
    expect(definition.productConfigurations.map(({ productPlan, productType }) => `${productType} ${productPlan}`)).toEqual([
      "subscription 1M",
      "subscription 3M",
      "subscription 12M",
    ]);
  });
});
