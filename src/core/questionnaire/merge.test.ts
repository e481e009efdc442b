import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
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
