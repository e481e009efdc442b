import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { State } from "#core/questionnaire/state.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { staysOnRelease } from "./staying.ts";

const served = { compiled: compile(smallQuestionnaire), release: "0123456789ab", context: mexico };
const older = "ba9876543210";
const under = (state: State): State => ({ ...state, release: older });
const way = under(replayAnswers(served.compiled, "2.1~3.1~41.3~42.3", mexico));
const misfit = {
  ...way,
  selectedOptions: way.selectedOptions.map((each) => (each.questionId === 41 ? { questionId: 41, optionId: 9 } : each)),
};

/** The small questionnaire with a block added to a question. */
const withBlock = (type: string, at: number) => ({
  ...served,
  compiled: compile(
    questionnaire(smallQuestions.map((question) => (question.id === at ? { ...question, contents: [{ type }] } : question))),
  ),
});

describe("a visitor who began on an older release", () => {
  it("stays on it while an answer does not fit the newer one", () => {
    expect(staysOnRelease(served, misfit)).toBe(true);
  });
  it("stays on it if their question no longer exists", () => {
    expect(staysOnRelease(served, { ...way, currentQuestionId: 900 })).toBe(true);
  });
  it("changes when the newer one accepts every answer", () => {
    expect(staysOnRelease(served, way)).toBe(false);
  });
  it("stays on it when the answers fit, but not in this order", () => {
    const [first, ...rest] = way.selectedOptions;
    const turned = { ...way, selectedOptions: first === undefined ? rest : [...rest, first] };
    expect(staysOnRelease(served, turned)).toBe(true);
  });
  it.each(["signupEmail", "signupPassword", "price", "payment", "paddle"])(
    "stays on it at a question with %s, although all answers fit",
    (type) => {
      expect(staysOnRelease(withBlock(type, way.currentQuestionId), way)).toBe(true);
      expect(staysOnRelease(withBlock(type, 2), way)).toBe(false);
    },
  );
  it("changes at a question with any other block", () => {
    expect(staysOnRelease(withBlock("paragraph", way.currentQuestionId), way)).toBe(false);
  });
  it("changes once finished, whatever the answers", () => {
    expect(staysOnRelease(served, { ...misfit, finished: true })).toBe(false);
  });
  it("changes without answers, from another version, and without a stored release", () => {
    for (const state of [
      { ...misfit, selectedOptions: [], visitedQuestionIds: [] },
      { ...misfit, selectedOptions: [], visitedQuestionIds: [], currentQuestionId: 900 },
      { ...misfit, id: "83" },
      { ...misfit, release: undefined },
      { ...misfit, release: served.release },
    ])
      expect(staysOnRelease(served, state)).toBe(false);
  });
});
