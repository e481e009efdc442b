import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { compile } from "./compile.ts";
import { userLevelOrNull, levelOf, targetLevel, userLevel } from "./level.ts";
import type { State } from "./state.ts";
import { initialState } from "./step.ts";

const small = compile(smallQuestionnaire);
const fresh = initialState(small);
const answered = (...pairs: readonly (readonly [number, number])[]): State => ({
  ...fresh,
  visitedQuestionIds: pairs.map(([id]) => id),
  selectedOptions: pairs.map(([questionId, optionId]) => ({ questionId, optionId })),
});
const withOptions = (id: number, options: (typeof smallQuestions)[number]["options"], changes: Parameters<typeof questionnaire>[1] = {}) =>
  compile(
    questionnaire(
      smallQuestions.map((question) => (question.id === id ? { ...question, options } : question)),
      changes,
    ),
  );

describe("the user's level by level questions", () => {
  it("maps the level question answered last; advanced counts as upperintermediate", () => {
    expect(userLevel(small, answered([41, 1]))).toBe("beginner");
    expect(userLevel(small, answered([41, 1], [42, 1]))).toBe("beginner");
    expect(userLevel(small, answered([41, 1], [42, 1], [43, 3]))).toBe("intermediate");
    expect(userLevel(small, answered([41, 1], [42, 1], [43, 1], [44, 1], [54, 1]))).toBe("upperintermediate");
    expect(levelOf("advanced")).toBe("upperintermediate");
    expect(levelOf("basic")).toBe("basic");
  });
  it("is the level whose range contains the question", () => {
    const late = compile(questionnaire(smallQuestions, { userLevelMappings: [{ first: 42, last: 43, userLevel: "basic" }] }));
    expect(userLevel(late, answered([41, 1]))).toBeNull();
    expect(userLevel(late, answered([42, 1]))).toBe("basic");
  });
  it("needs no InitialLevelView and no levels on its options", () => {
    const without = compile(questionnaire(smallQuestions.filter(({ id }) => id !== 55)));
    expect(userLevel(without, answered([41, 1]))).toBe("beginner");
  });
  it("is null before the first level question, and without a mapping", () => {
    expect(userLevel(small, answered([2, 1]))).toBeNull();
    expect(userLevel(compile(questionnaire(smallQuestions, { userLevelMappings: [] })), answered([41, 1]))).toBeNull();
  });
});

describe("the user's level by the initial level", () => {
  const initial = { userLevelAlgorithm: "InitialLevel" as const };
  const chosen = withOptions(
    55,
    [
      { id: 1, description: "New", followUpQuestion: 56, meta: { userLevel: "beginner" } },
      { id: 2, description: "Good", followUpQuestion: 56, meta: { userLevel: "advanced" } },
      { id: 3, description: "?", followUpQuestion: 56 },
    ],
    initial,
  );
  it("is the level of the option chosen on the InitialLevelView", () => {
    expect(userLevel(chosen, answered([55, 1]))).toBe("beginner");
    expect(userLevel(chosen, answered([55, 2]))).toBe("upperintermediate");
    expect(userLevel(chosen, fresh)).toBeNull();
  });
  it("is an error without an InitialLevelView, and for an option without a level", () => {
    expect(() =>
      userLevel(
        compile(
          questionnaire(
            smallQuestions.filter((question) => question.id !== 55),
            initial,
          ),
        ),
        fresh,
      ),
    ).toThrow("No InitialLevelView found!");
    expect(() => userLevel(chosen, answered([55, 3]))).toThrow("No userLevel option found!");
    expect(userLevelOrNull(chosen, answered([55, 3]))).toBeNull();
  });
});

describe("the target level", () => {
  it("is the level of the option chosen on the TargetLevelView", () => {
    expect(targetLevel(small, answered([56, 1]), mexico)).toBe("intermediate");
    expect(targetLevel(small, answered([56, 2]), mexico)).toBe("upperintermediate");
  });
  it("is known before the answer when only one level is offered", () => {
    expect(targetLevel(small, fresh, mexico)).toBeNull();
    const byLevel = withOptions(56, [
      {
        id: 1,
        description: "On",
        followUpQuestion: 60,
        meta: { targetLevel: "basic" },
        requirements: { rules: [{ lastLevelQuestion: 41 }] },
      },
      {
        id: 2,
        description: "On",
        followUpQuestion: 60,
        meta: { targetLevel: "intermediate" },
        requirements: { rules: [{ lastLevelQuestion: 43 }] },
      },
    ]);
    expect(targetLevel(byLevel, answered([41, 3]), mexico)).toBe("basic");
    expect(targetLevel(byLevel, answered([41, 1], [43, 3]), mexico)).toBe("intermediate");
  });
  it("is known before the answer when only one offered option has a level", () => {
    const options = [
      { id: 1, description: "On", followUpQuestion: 60, meta: { targetLevel: "basic" as const } },
      { id: 2, description: "Why?", followUpQuestion: 60, meta: {} },
      { id: 3, description: "Back", followUpQuestion: 60 },
    ];
    expect(targetLevel(withOptions(56, options), fresh, mexico)).toBe("basic");
    expect(targetLevel(withOptions(56, options.slice(1)), fresh, mexico)).toBeNull();
  });
  it("is an error for a chosen option without a level, and null without a TargetLevelView", () => {
    expect(() => targetLevel(withOptions(56, [{ id: 1, description: "On", followUpQuestion: 60 }]), answered([56, 1]), mexico)).toThrow(
      "No target level option found!",
    );
    expect(targetLevel(compile(questionnaire(smallQuestions.filter((question) => question.id !== 56))), fresh, mexico)).toBeNull();
  });
});
