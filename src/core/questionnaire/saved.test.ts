import { mexico, questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { encodeAnswers, replayAnswers } from "./answer-code.ts";
import { compile } from "./compile.ts";
import { mergeState, resumePoint, savedState } from "./saved.ts";
import { parseSavedState, receivedStateSchema } from "./storedState.ts";
import type { State } from "./state.ts";
import { initialState } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const fresh = initialState(compiled);
const way = replayAnswers(compiled, "2.1~3.1~41.3~42.3~53.1~55.1~56.2~60.1~s2~d024", mexico);

describe("the saved state", () => {
  it("has no password, but the finished flag and its time", () => {
    const state: State = {
      ...fresh,
      finished: true,
      finishedTimestamp: "2026-11-20T10:00:00Z",
      user: { email: "a@b.de", password: "secret-123" },
    };
    expect(savedState(state)).toMatchObject({ finished: true, finishedTimestamp: "2026-11-20T10:00:00Z", user: { email: "a@b.de" } });
    expect(JSON.stringify(savedState(state))).not.toContain("secret-123");
  });
  it("has the study schedule and the program's end only with a schedule", () => {
    expect(savedState(way)).toMatchObject({ schedule: 2, studySchedule: { id: 2, months: 6 }, programEndDate: "2027-05-19" });
    expect(Object.keys(savedState({ ...way, schedule: undefined }))).not.toContain("studySchedule");
  });
  it("is read back with null fields as undefined", () => {
    const stored = {
      ...savedState(fresh),
      schedule: null,
      studySchedule: null,
      programEndDate: null,
      finishedTimestamp: null,
      skillsToImprove: null,
      user: { firstname: null, email: "a@b.de" },
    };
    expect(parseSavedState(stored)).toEqual({ ...fresh, user: { email: "a@b.de" } });
  });
  it("has a format number, and names a release from format 2 on", () => {
    const release = "0123456789ab";
    const { format, ...unnumbered } = savedState({ ...fresh, release });
    expect(format).toBe(2);
    expect(parseSavedState({ ...unnumbered, format })).toEqual({ ...fresh, release });
    expect(parseSavedState(savedState(fresh))).toEqual(fresh);
    expect(parseSavedState(unnumbered)).toEqual({ ...fresh, release });
    expect(parseSavedState({ ...unnumbered, format: 3 })).toEqual({ ...fresh, release });
  });
  it("has defaults for fields without a value", () => {
    expect(parseSavedState({ ...savedState(fresh), days: undefined, moreInfoOf: undefined })).toEqual(fresh);
  });
  it("is null for anything but a state", () => {
    for (const value of [null, undefined, 7, "state", [], {}, { id: "76" }, { ...fresh, currentQuestionId: "2" }])
      expect([parseSavedState(value), v.parse(receivedStateSchema, value)]).toEqual([null, "invalid"]);
    expect(v.parse(receivedStateSchema, { ...savedState(fresh), schedule: null })).toEqual(fresh);
  });
});

describe("the resume point", () => {
  it("is the saved question", () => {
    expect(resumePoint(compiled, way)).toBe(61);
  });
  it("is the initial question without a state, for another version, an unknown question, or one below the stored start", () => {
    expect(resumePoint(compiled, null)).toBe(2);
    expect(resumePoint(compiled, { ...way, id: "83" })).toBe(2);
    expect(resumePoint(compiled, { ...way, currentQuestionId: 1009 })).toBe(2);
    expect(resumePoint(compiled, way, 67)).toBe(2);
    expect(resumePoint(compiled, way, 61)).toBe(61);
  });
});

describe("a state converted to another definition", () => {
  it("keeps all that exists in the new definition", () => {
    expect(mergeState(compiled, { ...way, id: "69" })).toEqual(way);
  });
  it("drops the history from the first unknown answer on, and an unknown schedule", () => {
    const changed: State = {
      ...way,
      schedule: 9,
      selectedOptions: way.selectedOptions.map((selected) => (selected.questionId === 41 ? { questionId: 41, optionId: 9 } : selected)),
    };
    expect(mergeState(compiled, changed)).toMatchObject({
      visitedQuestionIds: [2, 3],
      currentQuestionId: 41,
      schedule: undefined,
      studySchedule: undefined,
      programEndDate: undefined,
    });
  });
});

describe("answers in a link", () => {
  it("are encoded in order, then the schedule and the days", () => {
    expect(encodeAnswers(fresh)).toBe("");
    expect(encodeAnswers(way)).toBe("2.1~3.1~41.3~42.3~53.1~55.1~56.2~60.1~s2~d024");
  });
  it("are replayed up to the first that the visitor cannot choose", () => {
    expect(replayAnswers(compiled, "2.1~41.1~3.1", mexico)).toMatchObject({ visitedQuestionIds: [2], currentQuestionId: 3 });
    expect(replayAnswers(compiled, "2.9", mexico)).toEqual(fresh);
    expect(replayAnswers(compiled, "<script>~s9~d99", mexico)).toEqual(fresh);
  });
  it("may have two-digit ids, also for a schedule", () => {
    const others = smallQuestions.filter(({ id }) => id !== 2);
    const wide = compile(
      questionnaire([{ id: 2, contents: [], options: [{ id: 12, description: "Other", followUpQuestion: 3 }] }, ...others], {
        schedules: schedules.map((schedule) => ({ ...schedule, id: schedule.id + 10 })),
      }),
    );
    expect(replayAnswers(wide, "2.12~s13", mexico)).toMatchObject({
      selectedOptions: [{ questionId: 2, optionId: 12 }],
      schedule: 13,
      programEndDate: "2027-02-19",
    });
  });
});

describe("an untrusted answer code", () => {
  it("chooses a schedule and days, also when the answers end before their question", () => {
    const before = replayAnswers(compiled, "2.1~s2~d024", mexico);
    expect(before).toMatchObject({ visitedQuestionIds: [2], currentQuestionId: 3, schedule: 2, days: [0, 2, 4] });
    const whole = replayAnswers(compiled, "2.1~3.1~41.3~42.3~53.1~55.1~56.2~60.1~61.1~s2~d024", mexico);
    expect(whole).toMatchObject({ currentQuestionId: 67, schedule: 2, days: [0, 2, 4] });
    expect(whole.visitedQuestionIds.slice(-2)).toEqual([60, 61]);
  });
  it("stops at an unknown question and at an unknown word", () => {
    for (const code of ["99.1", "x2.1", "2.1x", "2", "2.", "12345.1", "2.12345"])
      expect(replayAnswers(compiled, code, mexico)).toEqual(fresh);
    for (const code of ["xs2", "s2x", "xd024", "d024x", "d7", "d01234561"]) expect(replayAnswers(compiled, code, mexico)).toEqual(fresh);
  });
});

describe("a stored state", () => {
  it("gets empty lists for missing ones, and loses null items", () => {
    const { days, skillsToImprove, moreInfoOf, programChangeWish, ...rest } = savedState(fresh);
    expect(parseSavedState(rest)).toEqual(fresh);
    expect(parseSavedState({ ...rest, days, skillsToImprove, moreInfoOf, programChangeWish })).toEqual(fresh);
  });
  it("is truncated where its history and its answers differ", () => {
    const parted: State = { ...way, visitedQuestionIds: way.visitedQuestionIds.map((id) => (id === 42 ? 43 : id)) };
    expect(mergeState(compiled, parted)).toMatchObject({ visitedQuestionIds: [2, 3, 41], currentQuestionId: 42 });
    const first: State = { ...way, selectedOptions: [{ questionId: 2, optionId: 9 }, ...way.selectedOptions.slice(1)] };
    expect(mergeState(compiled, first)).toMatchObject({ visitedQuestionIds: [], selectedOptions: [], currentQuestionId: 2 });
  });
});
