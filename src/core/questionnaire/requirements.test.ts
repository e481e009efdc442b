import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { compile } from "./compile.ts";
import type { Context } from "./context.ts";
import { type RuleGroup, ruleGroupSchema } from "./definition.ts";
import { holds, visibleContents, visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";
import { initialState, step } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const fresh = initialState(compiled);
const answered = [2, 3, 41, 42].reduce<State>(
  (state, questionId) => step(compiled, state, { type: "answer", questionId, optionId: 1 }, mexico).state,
  fresh,
);
const check = (group: RuleGroup, state: State = answered, context: Partial<Context> = {}) =>
  holds(compiled, group, state, { ...mexico, ...context });

describe("a rule", () => {
  it.each([
    ["an answered question", { questionId: 2 }, true],
    ["an unanswered question", { questionId: 43 }, false],
    ["the chosen option", { questionId: 2, optionId: 1 }, true],
    ["another option", { questionId: 2, optionId: 2 }, false],
    ["the country", { countryIs: "MX" }, true],
    ["another country", { countryIs: "BR" }, false],
    ["one of several countries", { countryIs: ["BR", "MX"] }, true],
    ["not a country", { countryIsNot: "BR" }, true],
    ["not this country", { countryIsNot: ["MX", "BR"] }, false],
    ["the locale", { localeIs: "es-419" as const }, true],
    ["other locales", { localeIs: ["de-DE" as const, "it-IT" as const] }, false],
    ["the last level question", { lastLevelQuestion: 42 }, true],
    ["an earlier level question", { lastLevelQuestion: 41 }, false],
    ["the platform", { platform: "android" as const }, true],
    ["the other platform", { platform: "apple" as const }, false],
    ["no consent required", { requiresMarketingConsent: "off" as const }, true],
    ["consent required", { requiresMarketingConsent: "on" as const }, false],
    ["no days", { days: "off" as const }, true],
    ["days", { days: "on" as const }, false],
    ["a schedule", { schedule: 1 }, false],
    ["nothing at all", {}, true],
    ["all fields together", { countryIs: "MX", platform: "android" as const, questionId: 2 }, true],
    ["all fields but one", { countryIs: "MX", platform: "apple" as const, questionId: 2 }, false],
  ])("on %s is decided", (_, rule, expected) => {
    expect(check({ rules: [rule] })).toBe(expected);
  });
  it("takes a schedule and days into account once their question has been reached", () => {
    const chosen: State = { ...answered, schedule: 2, days: [1, 3] };
    expect(check({ rules: [{ schedule: 2 }] }, chosen)).toBe(false);
    expect(check({ rules: [{ days: "on" }] }, chosen)).toBe(false);
    const reached: State = { ...chosen, visitedQuestionIds: [...chosen.visitedQuestionIds, 60], currentQuestionId: 61 };
    expect(check({ rules: [{ schedule: 2 }] }, reached)).toBe(true);
    expect(check({ rules: [{ schedule: 1 }] }, reached)).toBe(false);
    expect(check({ rules: [{ days: "on" }] }, reached)).toBe(true);
  });
  it("holds for no days on their question before any are chosen", () => {
    const asked: State = { ...answered, currentQuestionId: 61 };
    expect(check({ rules: [{ days: "off" }] }, asked)).toBe(true);
    expect(check({ rules: [{ days: "off" }] }, { ...asked, days: [1] })).toBe(false);
  });
  it("about a country does not hold when the country is unknown", () => {
    expect(check({ rules: [{ countryIs: "MX" }] }, answered, { country: "" })).toBe(false);
  });
  it("without a condition on consent also holds where consent is required", () => {
    expect(check({ rules: [{ questionId: 2 }] }, answered, { requiresMarketingConsent: true })).toBe(true);
  });
  it("ignores questions in the history that no longer exist", () => {
    const old: State = { ...answered, visitedQuestionIds: [2, 41, 999], currentQuestionId: 998, schedule: 2 };
    expect(check({ rules: [{ lastLevelQuestion: 41 }] }, old)).toBe(true);
    expect(check({ rules: [{ schedule: 2 }] }, old)).toBe(false);
  });
  it("about the last level question holds for the first one before the level test (decision 061)", () => {
    expect(check({ rules: [{ lastLevelQuestion: 41 }] }, fresh)).toBe(true);
    expect(check({ rules: [{ lastLevelQuestion: 42 }] }, fresh)).toBe(false);
  });
  it("about an option must name the question", () => {
    expect(v.is(ruleGroupSchema, { rules: [{ optionId: 1 }] })).toBe(false);
    expect(v.is(ruleGroupSchema, { rules: [{ questionId: 2, optionId: 1 }] })).toBe(true);
    expect(v.is(ruleGroupSchema, { rules: [{ country: "MX" }] })).toBe(false);
  });
});

describe("a group of rules", () => {
  const yes = { questionId: 2 };
  const no = { questionId: 43 };
  it("needs any of its rules by default and all of them with 'and'", () => {
    expect(check({ rules: [no, yes] })).toBe(true);
    expect(check({ type: "or", rules: [no, no] })).toBe(false);
    expect(check({ type: "and", rules: [yes, yes] })).toBe(true);
    expect(check({ type: "and", rules: [no, yes] })).toBe(false);
  });
  it("may contain groups", () => {
    expect(check({ type: "and", rules: [yes, { type: "or", rules: [no, yes] }] })).toBe(true);
    expect(check({ type: "and", rules: [yes, { type: "and", rules: [no, yes] }] })).toBe(false);
  });
  it("holds when it is empty or missing", () => {
    expect(check({ rules: [] })).toBe(true);
    expect(check({ type: "and", rules: [] })).toBe(true);
    expect(holds(compiled, undefined, fresh, mexico)).toBe(true);
  });
});

describe("the visible contents and options", () => {
  it("are those whose requirements hold, in order", () => {
    const mexican = { requirements: { rules: [{ countryIs: "MX" }] } };
    const brazilian = { requirements: { rules: [{ countryIs: "BR" }] } };
    const question = {
      id: 2,
      weight: 1,
      contents: [{ type: "title", ...brazilian }, { type: "title", ...mexican }, { type: "footnote" }],
      options: [
        { id: 1, description: "a", ...mexican },
        { id: 2, description: "b", ...brazilian },
        { id: 3, description: "c" },
      ],
    };
    expect(visibleContents(compiled, question, fresh, mexico).map((item) => item.type)).toEqual(["title", "footnote"]);
    expect(visibleOptions(compiled, question, fresh, mexico).map((option) => option.id)).toEqual([1, 3]);
  });
});
