/** The plan is computed in one place; all its figures follow from hours of study (decisions/099). */
import { mexico, questionnaire, schedules, smallQuestions } from "#test/questionnaires.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replayAnswers } from "./answer-code.ts";
import { weekdayOf } from "./calendar.ts";
import { compile } from "./compile.ts";
import { levels } from "./levels.ts";
import {
  agreedSchedule,
  firstDay,
  hoursOf,
  monthsFromEach,
  paceOf,
  planFrom,
  planOf,
  stageHours,
  stageShares,
  stagesPerLevel,
  studyWeeks,
} from "./plan.ts";
import { initialState, step } from "./step.ts";

const figures = (practiseDaysPerWeek: number, minutesPerSession: number) => {
  const monthsFrom = monthsFromEach(practiseDaysPerWeek, minutesPerSession);
  return { months: monthsFrom.beginner, monthsFrom, practiseDaysPerWeek, minutesPerSession };
};
const variants = [{ answers: [{ questionId: 56, optionId: 2 }], ...figures(6, 60) }];
const compiled = compile(
  questionnaire(smallQuestions, { schedules: schedules.map((schedule) => ({ ...schedule, ...figures(3, 20), variants })) }),
);
const after = (answers: string) => replayAnswers(compiled, answers, mexico);
const dates = fc
  .date({ min: new Date("2024-01-01"), max: new Date("2036-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 });

describe("a stage", () => {
  it("takes a fifth of the hours that Cambridge gives from one level to the next", () => {
    expect(levels.map((level) => stageHours(level) * stagesPerLevel)).toEqual([190, 185, 175, 200]);
  });

  it("ends at its share of the way, all stages being equally long", () => {
    expect([stageShares(4), stageShares(1), stageShares(0)]).toEqual([[0.25, 0.5, 0.75, 1], [1], []]);
  });

  it("fits into every pace, but not into one month less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 10, max: 90 }),
        fc.constantFrom(...levels),
        (week, minutesPerSession, level) => {
          const months = monthsFromEach(week, minutesPerSession)[level];
          const hours = (length: number) => hoursOf({ months: length, practiseDaysPerWeek: week, minutesPerSession });
          expect(hours(months)).toBeGreaterThanOrEqual(stageHours(level));
          if (months > 1) expect(hours(months - 1)).toBeLessThan(stageHours(level));
        },
      ),
    );
  });
});

describe("a pace", () => {
  it("has the months for the visitor's own level", () => {
    const [schedule] = compiled.definition.schedules;
    const months = (answers: string) => schedule && paceOf(compiled, after(answers), schedule).months;
    expect([months("2.1"), months("2.1~3.1~41.3~42.3"), months("2.1~3.1~41.1~42.1~43.3")]).toEqual([12, 12, 11]);
  });

  it("depends on the visitor's available time", () => {
    const way = "2.1~3.1~41.3~42.3~53.1~55.1";
    const [schedule] = compiled.definition.schedules;
    expect(schedule && [paceOf(compiled, after(`${way}~56.1`), schedule), paceOf(compiled, after(`${way}~56.2`), schedule)]).toEqual([
      { id: 1, months: 12, practiseDaysPerWeek: 3, minutesPerSession: 20 },
      { id: 1, months: 2, practiseDaysPerWeek: 6, minutesPerSession: 60 },
    ]);
    // One of several answers is enough.
    const answers = [
      { questionId: 2, optionId: 2 },
      { questionId: 56, optionId: 1 },
    ];
    const either = schedule && { ...schedule, variants: [{ answers, ...figures(5, 30) }] };
    expect(either && paceOf(compiled, after(`${way}~56.1`), either)).toMatchObject({ practiseDaysPerWeek: 5, minutesPerSession: 30 });
  });

  it("changes with the level and the current date, in the saved state and on every screen", () => {
    const chosen = step(compiled, after("2.1~3.1~41.3~42.3"), { type: "chooseSchedule", scheduleId: 1 }, mexico).state;
    expect([chosen.studySchedule?.months, chosen.programEndDate]).toEqual([12, "2027-11-19"]);
    const better = ([41, 42] as const).reduce(
      (state, questionId) => step(compiled, state, { type: "answer", questionId, optionId: 1 }, mexico).state,
      step(compiled, chosen, { type: "moveTo", questionId: 41 }, mexico).state,
    );
    const reached = step(compiled, better, { type: "answer", questionId: 43, optionId: 3 }, mexico).state;
    expect([reached.studySchedule?.months, reached.programEndDate]).toEqual([11, "2027-10-19"]);
    const tomorrow = step(compiled, reached, { type: "setUser", user: { firstname: "Ana" } }, { ...mexico, today: "2026-11-21" }).state;
    expect(tomorrow.programEndDate).toBe("2027-10-20");
    expect(planOf({ compiled, state: tomorrow, context: { ...mexico, today: "2026-11-21" } })).toMatchObject({
      months: 11,
      end: "2027-10-20",
      pace: tomorrow.studySchedule,
    });
  });

  it("asks for the days again if it has fewer than were chosen, and keeps them if it has more", () => {
    const withDays = (scheduleId: number) => {
      const small = compile(questionnaire(smallQuestions));
      const five = step(small, initialState(small), { type: "chooseSchedule", scheduleId: 2 }, mexico).state;
      const chosen = step(small, five, { type: "chooseDays", days: [0, 1, 2, 3] }, mexico).state;
      return step(small, chosen, { type: "chooseSchedule", scheduleId }, mexico).state.days;
    };
    expect([withDays(1), withDays(3)]).toEqual([[], [0, 1, 2, 3]]);
  });

  it("is null when none was chosen", () => {
    expect(agreedSchedule(compiled, after("2.1"), mexico.today)).toBeNull();
  });
});

describe("the plan", () => {
  const pace = { id: 1, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 30 };
  const plan = (parts: Partial<Parameters<typeof planFrom>[0]> = {}) =>
    planFrom({ paces: [pace], chosen: 1, initial: "basic", target: "intermediate", days: [0, 1], today: "2026-11-21", ...parts });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 18])("has as many study weeks in %i months as its calendar", (months) => {
    const pace = { id: 1, months, practiseDaysPerWeek: 3, minutesPerSession: 20 };
    const parts = { paces: [pace], chosen: 1, initial: "beginner", target: "basic", days: [0], today: "2026-11-20" } as const;
    const { programWeeks, programBreakWeeks } = planFrom(parts);
    const study = Array.from({ length: programWeeks }, (_, week) => week % 13).filter((week) => studyWeeks.includes(week));
    expect(study.length).toBe(programWeeks - programBreakWeeks);
  });

  it("counts the stages and hours to the target and of the program", () => {
    expect(plan()).toMatchObject({
      next: "intermediate",
      stages: 5,
      hoursToTarget: 185,
      hours: 40,
      programWeeks: 26,
      programBreakWeeks: 6,
    });
    expect(plan({ initial: "beginner", target: "upperintermediate" })).toMatchObject({ next: "basic", stages: 15, hoursToTarget: 550 });
    expect(plan({ initial: "upperintermediate", target: "upperintermediate" })).toMatchObject({
      next: null,
      target: null,
      stages: 5,
      hoursToTarget: 200,
    });
  });

  it("aims at the next level if the target is unknown or not above the current level", () => {
    expect(plan({ target: "basic" }).target).toBe("intermediate");
    expect(plan({ initial: "intermediate", target: "beginner" }).target).toBe("upperintermediate");
    expect(plan({ target: null }).target).toBe("intermediate");
  });

  it("begins at the visitor's level; without answers it leads from the lowest level to the usual target", () => {
    const of = (answers: string) => planOf({ compiled, state: after(answers), context: mexico });
    expect(of("2.1~3.1~41.1~42.1~43.3~53.1~55.1~56.2")).toMatchObject({ initial: "intermediate", target: "upperintermediate" });
    expect(of("2.1")).toMatchObject({ initial: "beginner", target: "intermediate" });
  });

  it("begins on a practice day, today or within a week, on every date", () => {
    fc.assert(
      fc.property(dates, days, (today, chosen) => {
        const start = firstDay(chosen, today);
        const wait = (Date.parse(start) - Date.parse(today)) / 86_400_000;
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThan(7);
        if (chosen.length === 0) expect(start).toBe(today);
        else expect(chosen).toContain(weekdayOf(start));
      }),
    );
  });

  it("lasts nine months with five days a week when no pace is chosen (spec 001 §9)", () => {
    expect(plan({ chosen: undefined })).toMatchObject({ pace: null, months: 9, practiseDaysPerWeek: 5, minutesPerSession: 30 });
    expect(plan({ paces: [], chosen: undefined })).toMatchObject({ pace: null, months: 9, minutesPerWeek: 0 });
  });
});
