import { smallQuestionnaire } from "#test/questionnaires.ts";
import { expect, test } from "vitest";
import { compile } from "./compile.ts";
import { firstLesson } from "./lessons.ts";
import { initialState } from "./step.ts";

const small = compile(smallQuestionnaire);
const answered = (...selected: readonly (readonly [number, number])[]) => ({
  ...initialState(small),
  visitedQuestionIds: selected.map(([questionId]) => questionId),
  selectedOptions: selected.map(([questionId, optionId]) => ({ questionId, optionId })),
});

test("the first lesson fits the visitor's level", () => {
  expect(firstLesson(small, answered([41, 1]))).toBe("greeting");
  expect(firstLesson(small, answered([41, 1], [42, 1], [43, 3]))).toBe("story");
  expect(firstLesson(small, answered([41, 1], [42, 1], [43, 1], [44, 1], [54, 1]))).toBe("opinion");
});

test("there is no lesson without a level, nor for answers to another questionnaire", () => {
  expect(firstLesson(small, answered())).toBeNull();
  expect(firstLesson(small, { ...answered([41, 1]), id: "another" })).toBeNull();
});
