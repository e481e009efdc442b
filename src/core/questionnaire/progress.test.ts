import { questionnaire, smallQuestionnaire } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { compile } from "./compile.ts";
import { progressPercent, shownPercent } from "./progress.ts";
import { initialState } from "./step.ts";

const go = (followUpQuestion: number) => ({ id: followUpQuestion, description: "On", followUpQuestion });
// 1 → 2 → (3 → 4 | 4) → 5 (end) → 6; weights 1, 2, 4, 1, 2, 3
const compiled = compile(
  questionnaire(
    [
      { id: 1, contents: [], options: [go(2)] },
      { id: 2, weight: 2, contents: [], options: [go(3), go(4)] },
      { id: 3, weight: 4, contents: [], options: [go(4)] },
      { id: 4, contents: [], options: [go(5)] },
      { id: 5, weight: 2, contents: [], options: [go(6)] },
      { id: 6, weight: 3, contents: [], options: [] },
    ],
    { initialQuestion: 1, progress: { type: "weight", end: 5 } },
  ),
);

describe("progress", () => {
  it("is the weight up to the question, divided by that weight plus the lightest path to the end", () => {
    expect(progressPercent(compiled, 1)).toBeCloseTo((1 / (1 + 2 + 1 + 2)) * 100);
    expect(progressPercent(compiled, 2)).toBeCloseTo((3 / (3 + 1 + 2)) * 100);
    expect(progressPercent(compiled, 3)).toBeCloseTo((7 / (7 + 1 + 2)) * 100);
    expect(progressPercent(compiled, 4)).toBeCloseTo((8 / (8 + 2)) * 100);
  });
  it("is 100 at the end and beyond it", () => {
    expect(progressPercent(compiled, 5)).toBe(100);
    expect(progressPercent(compiled, 6)).toBe(100);
  });
  it("counts a missing weight as 1", () => {
    expect(smallQuestionnaire.questions.every((question) => question.weight === 1)).toBe(true);
  });
  it("is an error for an unknown question", () => {
    expect(() => progressPercent(compiled, 9)).toThrow("No such question!");
  });
  it("does not decrease on the bar even if the formula's value does", () => {
    // From 4 (heavy way done) a follow-up leads back to the light question 2.
    const state = { ...initialState(compiled), visitedQuestionIds: [1, 4] };
    expect(progressPercent(compiled, 2)).toBeLessThan(progressPercent(compiled, 4));
    expect(shownPercent(compiled, state, 2)).toBe(progressPercent(compiled, 4));
    expect(shownPercent(compiled, state, 1)).toBe(progressPercent(compiled, 1));
  });
  it("ignores a question in the history that no longer exists", () => {
    const state = { ...initialState(compiled), visitedQuestionIds: [1, 9, 2] };
    expect(shownPercent(compiled, state, 3)).toBe(progressPercent(compiled, 3));
  });
  it("is 0 when all weights are 0", () => {
    const weightless = questionnaire([{ id: 2, weight: 0, contents: [], options: [] }], { progress: { type: "weight", end: 2 } });
    expect(progressPercent(compile(weightless), 2)).toBe(0);
  });
  it("is an error without an end", () => {
    expect(() => progressPercent(compile(questionnaire([{ id: 2, contents: [], options: [] }])), 2)).toThrow(
      "No such question! (question 80, where progress ends)",
    );
  });
});
