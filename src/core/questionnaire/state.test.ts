import * as v from "valibot";
import { expect, it } from "vitest";
import { stateSchema } from "./state.ts";

/** Every field in the specification (spec 000 §3, spec 001 §3). */
const complete = {
  id: "76",
  signupDone: true,
  finished: true,
  finishedTimestamp: "2026-11-20T10:00:00Z",
  visitedQuestionIds: [2],
  selectedOptions: [{ questionId: 2, optionId: 1 }],
  currentQuestionId: 3,
  user: { uuid: "u-1", email: "ana@example.com", password: "hablo-mucho-9", firstname: "Ana", uiLanguage: "es-419" },
  schedule: 2,
  days: [0, 6],
  studySchedule: { id: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 },
  programEndDate: "2027-05-19",
  skillsToImprove: ["speaking"],
  moreInfoOf: ["grammar"],
  programChangeWish: ["shorter"],
};

it("a state keeps every field of the specification", () => {
  expect(v.parse(stateSchema, complete)).toEqual(complete);
});

it("a state's days are days of the week", () => {
  expect([[0, 6], [7], [-1], [1.5]].map((days) => v.is(stateSchema, { ...complete, days }))).toEqual([true, false, false, false]);
});
