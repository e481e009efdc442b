import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { encodeAnswers } from "./answer-code.ts";
import { compile } from "./compile.ts";
import { agreeing, onTopOf } from "./merge.ts";
import type { State } from "./state.ts";
import { initialState, type QuestionnaireEvent, step } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const after = (from: State, ...events: readonly QuestionnaireEvent[]) =>
  events.reduce((state, event) => step(compiled, state, event, mexico).state, from);
const answer = (questionId: number, optionId = 1): QuestionnaireEvent => ({ type: "answer", questionId, optionId });
const start: State = { ...initialState(compiled, { uuid: "u" }), signupDone: true };
const shared = after(start, answer(2), answer(3));

describe("two devices", () => {
  it("agree up to the first answer that differs", () => {
    expect([agreeing(shared, shared), agreeing(shared, after(shared, answer(41))), agreeing(after(shared, answer(41)), shared)]).toEqual([
      2, 2, 2,
    ]);
    expect(agreeing(shared, after(start, answer(2, 2), answer(3)))).toBe(0);
  });
  it("the one that only looked takes the other's way", () => {
    const further = after(shared, answer(41), answer(42));
    expect(onTopOf(compiled, further, shared, 2, mexico)).toEqual(further);
  });
  it("the one that went on by itself gives its own answers again on top", () => {
    const there = after(shared, answer(41, 2), answer(42));
    const here = after(shared, answer(41), answer(42), answer(43));
    const merged = onTopOf(compiled, there, here, 2, mexico);
    expect(encodeAnswers(merged)).toBe("2.1~3.1~41.1~42.1~43.1");
    expect(merged.currentQuestionId).toBe(44);
  });
  it("an answer changed here cuts what followed it there", () => {
    const further = after(shared, answer(41), answer(42));
    expect(encodeAnswers(onTopOf(compiled, further, after(shared, answer(2, 2)), 0, mexico))).toBe("2.2");
  });
  it("answers that no longer stand on the way are left out", () => {
    const there = after(start, answer(2, 2));
    const here = after(shared, answer(41));
    const merged = onTopOf(compiled, there, here, 2, mexico);
    expect([encodeAnswers(merged), merged.currentQuestionId]).toEqual(["2.2", 3]);
  });
  it("a schedule and days chosen here count with their answers, and only then", () => {
    const there = after({ ...shared, currentQuestionId: 60 }, { type: "chooseSchedule", scheduleId: 1 });
    const here = after(
      { ...shared, currentQuestionId: 60 },
      { type: "chooseSchedule", scheduleId: 3 },
      answer(60),
      { type: "chooseDays", days: [1, 3] },
      answer(61),
    );
    const merged = onTopOf(compiled, there, here, 2, mexico);
    expect([merged.schedule, merged.studySchedule?.months, merged.days]).toEqual([3, 3, [1, 3]]);
    expect(onTopOf(compiled, there, here, 4, mexico)).toMatchObject({ schedule: 1, days: [] });
  });
  it("what was finished stays finished, and the name given here is kept", () => {
    const merged = onTopOf(
      compiled,
      shared,
      after({ ...shared, user: { uuid: "u", firstname: "Ana" } }, { type: "finish", at: "2026-11-20T10:00:00Z" }),
      2,
      mexico,
    );
    expect(merged).toMatchObject({
      finished: true,
      finishedTimestamp: "2026-11-20T10:00:00Z",
      user: { firstname: "Ana" },
      signupDone: true,
    });
  });
  it("a state of another version is taken into this one first", () => {
    const merged = onTopOf(compiled, { ...shared, id: "12" }, after(shared, answer(41)), 2, mexico);
    expect([merged.id, encodeAnswers(merged)]).toEqual(["76", "2.1~3.1~41.1"]);
  });
});

describe("what is given again on top", () => {
  const at60 = { ...shared, currentQuestionId: 60 };
  it("is no answer whose option is not offered there", () => {
    const here: State = { ...after(shared, answer(41)), selectedOptions: [...shared.selectedOptions, { questionId: 41, optionId: 9 }] };
    expect(encodeAnswers(onTopOf(compiled, shared, here, 2, mexico))).toBe("2.1~3.1");
  });
  it("is no schedule where none was chosen, nor one that is not offered, nor one at another question", () => {
    const there = after(at60, { type: "chooseSchedule", scheduleId: 1 });
    expect(onTopOf(compiled, there, after(at60, answer(60)), 2, mexico).schedule).toBe(1);
    expect(onTopOf(compiled, there, { ...after(at60, answer(60)), schedule: 9 }, 2, mexico).schedule).toBe(1);
    expect(onTopOf(compiled, shared, { ...after(shared, answer(41)), schedule: 3, days: [2] }, 2, mexico)).toMatchObject({
      schedule: undefined,
      days: [],
    });
  });
  it.each(["skillsToImprove", "moreInfoOf", "programChangeWish"] as const)(
    "is the list %s with the answer of its question, and only then",
    (list) => {
      const asked = compile(
        questionnaire(
          smallQuestions.map((question) =>
            question.id === 41 ? { ...question, contents: [{ type: "title" }, { type: list }] } : question,
          ),
        ),
      );
      const theirs = { ...shared, [list]: ["writing"] };
      const ours = { ...after(shared, answer(41)), [list]: ["speaking"] };
      expect(onTopOf(asked, theirs, ours, 2, mexico)).toMatchObject({ [list]: ["speaking"] });
      expect(onTopOf(asked, theirs, ours, 2, mexico)).not.toHaveProperty("title");
      expect(onTopOf(compiled, theirs, ours, 2, mexico)).toMatchObject({ [list]: ["writing"] });
    },
  );
});
