import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, addMonths } from "./calendar.ts";
import { programEndDate, requiredDays, schedulePlan } from "./schedule.ts";

describe("the program's end", () => {
  it.each([
    [9, "2026-11-20", "2027-08-19"],
    [3, "2026-11-30", "2027-02-27"],
    [3, "2023-11-30", "2024-02-28"],
    [1, "2026-01-31", "2026-02-27"],
    [12, "2024-02-29", "2025-02-27"],
    [6, "2026-09-01", "2027-02-28"],
  ])("is %i months from %s, minus one day", (months, today, end) => {
    expect(programEndDate(months, today)).toBe(end);
  });
});

describe("the calendar", () => {
  it("uses the month's last day if the month is too short", () => {
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2024-01-31", 1)).toBe("2024-02-29");
    expect(addMonths("2026-12-31", 9)).toBe("2027-09-30");
  });
  it("counts days over months and years", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29");
  });
});

it("as many days are required as the block says, or as the chosen schedule has, or the usual five", () => {
  const studySchedule = { id: 1, months: 9, practiseDaysPerWeek: 3, minutesPerSession: 15 };
  expect([requiredDays(2, { studySchedule }), requiredDays("schedule", { studySchedule })]).toEqual([2, 3]);
  expect(requiredDays("schedule", { studySchedule: undefined })).toBe(5);
});

describe("a schedule's plan", () => {
  it.each([
    [[], [40, 20, 20, 20]],
    [["nothing"], [40, 20, 20, 20]],
    [["people"], [20, 40, 20, 20]],
    [["speaking"], [60, 20, 10, 10]],
    [
      ["people", "speaking"],
      [40, 40, 10, 10],
    ],
  ])("the wishes %j change how the week is divided", (wishes, minutes) => {
    const plan = schedulePlan({ months: 6, practiseDaysPerWeek: 5, minutesPerSession: 20 }, wishes);
    expect([plan.minutesOnApp, plan.minutesOnLessons, plan.minutesOnRecordedLessons, plan.minutesOnInteractiveExercises]).toEqual(minutes);
  });
  it("splits the week's minutes among the activities", () => {
    expect(schedulePlan({ months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 })).toEqual({
      months: 6,
      weeks: 13,
      breakWeeks: 3,
      practiseDaysPerWeek: 4,
      minutesPerSession: 20,
      minutesPerWeek: 80,
      minutesOnApp: 32,
      minutesOnLessons: 16,
      minutesOnRecordedLessons: 16,
      minutesOnInteractiveExercises: 16,
    });
  });
  it("distributes every minute, and most of them to the app", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 120 }), (practiseDaysPerWeek, minutesPerSession) => {
        const plan = schedulePlan({ months: 3, practiseDaysPerWeek, minutesPerSession });
        expect(plan.minutesOnApp + plan.minutesOnLessons + plan.minutesOnRecordedLessons + plan.minutesOnInteractiveExercises).toBe(
          practiseDaysPerWeek * minutesPerSession,
        );
        expect(plan.minutesOnApp).toBeGreaterThanOrEqual(plan.minutesOnLessons);
      }),
    );
  });
});
