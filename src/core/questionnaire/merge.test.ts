import { mexico, questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { encodeAnswers } from "./answer-code.ts";
import { compile } from "./compile.ts";
import { commonAnswerCount, rebaseState } from "./merge.ts";
import type { State } from "./state.ts";
import { initialState, type QuestionnaireEvent, step } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const after = (from: State, ...events: readonly QuestionnaireEvent[]) =>
  events.reduce((state, event) => step(compiled, state, event, mexico).state, from);
const answer = (questionId: number, optionId = 1): QuestionnaireEvent => ({ type: "answer", questionId, optionId });
const start: State = { ...initialState(compiled, { uuid: "u" }), signupDone: true };
const shared = after(start, answer(2), answer(3));

describe("two devices", () => {
  it("share the answers before their first difference", () => {
    expect([
      commonAnswerCount(shared, shared),
      commonAnswerCount(shared, after(shared, answer(41))),
      commonAnswerCount(after(shared, answer(41)), shared),
    ]).toEqual([2, 2, 2]);
    expect(commonAnswerCount(shared, after(start, answer(2, 2), answer(3)))).toBe(0);
  });
  it("a device without new answers takes the other's state", () => {
    const further = after(shared, answer(41), answer(42));
    expect(rebaseState(compiled, further, shared, 2, mexico)).toEqual(further);
  });
  it("a device with new answers reapplies them to the other's state", () => {
    const there = after(shared, answer(41, 2), answer(42));
    const here = after(shared, answer(41), answer(42), answer(43));
    const merged = rebaseState(compiled, there, here, 2, mexico);
    expect(encodeAnswers(merged)).toBe("2.1~3.1~41.1~42.1~43.1");
    expect(merged.currentQuestionId).toBe(44);
  });
  it("an answer changed on this device truncates the other's history after it", () => {
    const further = after(shared, answer(41), answer(42));
    expect(encodeAnswers(rebaseState(compiled, further, after(shared, answer(2, 2)), 0, mexico))).toBe("2.2");
  });
  it("answers no longer on the path are dropped", () => {
    const there = after(start, answer(2, 2));
    const here = after(shared, answer(41));
    const merged = rebaseState(compiled, there, here, 2, mexico);
    expect([encodeAnswers(merged), merged.currentQuestionId]).toEqual(["2.2", 3]);
  });
  it("a schedule and days chosen on this device are kept only with their answers", () => {
    const there = after({ ...shared, currentQuestionId: 60 }, { type: "chooseSchedule", scheduleId: 1 });
    const here = after(
      { ...shared, currentQuestionId: 60 },
      { type: "chooseSchedule", scheduleId: 3 },
      answer(60),
      { type: "chooseDays", days: [1, 3] },
      answer(61),
    );
    const merged = rebaseState(compiled, there, here, 2, mexico);
    expect([merged.schedule, merged.studySchedule?.months, merged.days]).toEqual([3, 3, [1, 3]]);
    expect(rebaseState(compiled, there, here, 4, mexico)).toMatchObject({ schedule: 1, days: [] });
  });
  it("days are chosen anew when the other device's answers gave the schedule another number of them", () => {
    const variants = [{ answers: [{ questionId: 2, optionId: 2 }], months: 9, practiseDaysPerWeek: 2, minutesPerSession: 15 }];
    const shortOfTime = compile(questionnaire(smallQuestions, { schedules: schedules.map((schedule) => ({ ...schedule, variants })) }));
    const walked = (from: State, ...events: readonly QuestionnaireEvent[]) =>
      events.reduce((state, event) => step(shortOfTime, state, event, mexico).state, from);
    const there = { ...walked(start, answer(2, 2), answer(3)), currentQuestionId: 60 };
    const days: QuestionnaireEvent = { type: "chooseDays", days: [0, 2, 4] };
    const here = walked({ ...shared, currentQuestionId: 60 }, { type: "chooseSchedule", scheduleId: 1 }, answer(60), days, answer(61));
    expect([here.days, here.studySchedule?.practiseDaysPerWeek]).toEqual([[0, 2, 4], 3]);
    expect(rebaseState(shortOfTime, there, here, 2, mexico)).toMatchObject({
      visitedQuestionIds: [2, 3, 60],
      currentQuestionId: 61,
      days: [],
      studySchedule: { practiseDaysPerWeek: 2 },
    });
  });
  it("a finished state stays finished, and the name given on this device is kept", () => {
    const merged = rebaseState(
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
  it("a state of another version is migrated to this one first", () => {
    const merged = rebaseState(compiled, { ...shared, id: "12" }, after(shared, answer(41)), 2, mexico);
    expect([merged.id, encodeAnswers(merged)]).toEqual(["76", "2.1~3.1~41.1"]);
  });
});

describe("reapplying answers", () => {
  const at60 = { ...shared, currentQuestionId: 60 };
  it("drops an answer whose option is not offered in the other state", () => {
    const here: State = { ...after(shared, answer(41)), selectedOptions: [...shared.selectedOptions, { questionId: 41, optionId: 9 }] };
    expect(encodeAnswers(rebaseState(compiled, shared, here, 2, mexico))).toBe("2.1~3.1");
  });
  it("keeps a schedule only if it was chosen, is offered, and belongs to that question", () => {
    const there = after(at60, { type: "chooseSchedule", scheduleId: 1 });
    expect(rebaseState(compiled, there, after(at60, answer(60)), 2, mexico).schedule).toBe(1);
    expect(rebaseState(compiled, there, { ...after(at60, answer(60)), schedule: 9 }, 2, mexico).schedule).toBe(1);
    expect(rebaseState(compiled, shared, { ...after(shared, answer(41)), schedule: 3, days: [2] }, 2, mexico)).toMatchObject({
      schedule: undefined,
      days: [],
    });
  });
  it.each(["skillsToImprove", "moreInfoOf", "programChangeWish"] as const)(
    "keeps the list %s only with the answer of its question",
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
      expect(rebaseState(asked, theirs, ours, 2, mexico)).toMatchObject({ [list]: ["speaking"] });
      expect(rebaseState(asked, theirs, ours, 2, mexico)).not.toHaveProperty("title");
      expect(rebaseState(compiled, theirs, ours, 2, mexico)).toMatchObject({ [list]: ["writing"] });
    },
  );
});
