import { mexico, questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { encodeAnswers, replayAnswers } from "./answer-code.ts";
import { type CompiledQuestionnaire, compile } from "./compile.ts";
import type { Context } from "./context.ts";
import { QuestionnaireError, questionnaireReasons } from "./error.ts";
import { finalProgramView, nextQuestionId, pastSignup, questionAfterSignup } from "./next.ts";
import type { State } from "./state.ts";
import { initialState, prefillEmbedded, type QuestionnaireEvent, step } from "./step.ts";

const small = compile(smallQuestionnaire);

/** The state after answers such as "2.1 3.1 41.3", from the initial state or a given one. */
function after(
  answers: string,
  from: State = initialState(small),
  compiled: CompiledQuestionnaire = small,
  context: Context = mexico,
): State {
  return answers.split(" ").reduce((state, answer) => {
    const [questionId = 0, optionId = 0] = answer.split(".").map(Number);
    return step(compiled, state, { type: "answer", questionId, optionId }, context).state;
  }, from);
}
const send = (state: State, event: QuestionnaireEvent) => step(small, state, event, mexico);
const reasonOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof QuestionnaireError) return error.reason;
    throw error;
  }
  return undefined;
};

describe("the initial state", () => {
  it("has an empty history and the initial question as the current one", () => {
    expect(initialState(small)).toMatchObject({
      id: "76",
      signupDone: false,
      finished: false,
      visitedQuestionIds: [],
      selectedOptions: [],
      currentQuestionId: 2,
    });
  });
  it("is an error without an initial question", () => {
    expect(reasonOf(() => initialState(compile(questionnaire(smallQuestions, { initialQuestion: 1 }))))).toBe("noInitialQuestion");
  });
  it("has the embedded first question answered by the given option, or by its first", () => {
    expect(prefillEmbedded(small, mexico).state).toMatchObject({ selectedOptions: [{ questionId: 2, optionId: 1 }], currentQuestionId: 3 });
    expect(prefillEmbedded(small, mexico, 2).state.selectedOptions).toEqual([{ questionId: 2, optionId: 2 }]);
    expect(prefillEmbedded(compile(questionnaire(smallQuestions, { embeddedQuestion: 3 })), mexico).state.selectedOptions).toEqual([
      { questionId: 3, optionId: 1 },
    ]);
    expect(reasonOf(() => prefillEmbedded(compile(questionnaire(smallQuestions.slice(1), { initialQuestion: 3 })), mexico))).toBe(
      "noEmbeddedQuestion",
    );
    expect(reasonOf(() => prefillEmbedded(small, mexico, 9))).toBe("unknownOption");
  });
});

describe("answering", () => {
  it("records the question as visited, stores the option, and has the effects save, track and goTo", () => {
    const { state, effects } = send(initialState(small), { type: "answer", questionId: 2, optionId: 2 });
    expect(state).toMatchObject({ visitedQuestionIds: [2], selectedOptions: [{ questionId: 2, optionId: 2 }], currentQuestionId: 3 });
    expect(effects).toEqual([
      { type: "save" },
      { type: "track", event: "QuestionnaireAnswer", payload: { questionnaire: "76", questionId: 2, optionId: 2 } },
      { type: "goTo", questionId: 3 },
    ]);
  });
  it("also tracks question 3 for campaigns", () => {
    expect(send(after("2.1"), { type: "answer", questionId: 3, optionId: 1 }).effects).toContainEqual({
      type: "track",
      event: "CampaignEvent",
      payload: { questionnaire: "76", name: "question-3-option-1" },
    });
    const elsewhere = compile(questionnaire(smallQuestions, { extraTrackingQuestion: 2 }));
    const { effects } = step(elsewhere, initialState(elsewhere), { type: "answer", questionId: 2, optionId: 2 }, mexico);
    expect(effects).toContainEqual({
      type: "track",
      event: "CampaignEvent",
      payload: { questionnaire: "76", name: "question-2-option-2" },
    });
  });
  it("changes nothing and goes on when an answer is repeated", () => {
    const state = after("2.1 3.1 41.1");
    expect(send(state, { type: "answer", questionId: 2, optionId: 1 })).toEqual({ state, effects: [{ type: "goTo", questionId: 3 }] });
    expect(send(state, { type: "answer", questionId: 41, optionId: 1 }).effects).toEqual([{ type: "goTo", questionId: 42 }]);
    expect(send(state, { type: "answer", questionId: 2, optionId: 1 }).state).toBe(state);
  });
  it("goes on when a link has led back into the history and the answers up to its end are repeated", () => {
    const answered = after("2.1 3.1 41.1 42.1");
    const walk = (target: number, questions: readonly number[]) => {
      let state: State = { ...answered, currentQuestionId: target };
      const led = questions.map((questionId) => {
        const { effects, state: stepped } = send(state, { type: "answer", questionId, optionId: 1 });
        state = stepped;
        return effects.at(-1);
      });
      return { led, state };
    };
    const to = (...questions: readonly number[]) => questions.map((questionId) => ({ type: "goTo", questionId }));
    expect(walk(2, [2, 3, 41, 42])).toEqual({ led: to(3, 41, 42, 43), state: answered });
    expect(walk(42, [42])).toEqual({ led: to(43), state: answered });
  });
  it("replaces an earlier answer and truncates the history after it", () => {
    expect(after("2.2", after("2.1 3.1 41.1"))).toMatchObject({
      visitedQuestionIds: [2],
      selectedOptions: [{ questionId: 2, optionId: 2 }],
      currentQuestionId: 3,
    });
  });
  it("goes back to a visited question, whether its id is the highest or not", () => {
    const to = (id: number, next: number) => ({ id, contents: [], options: [{ id: 1, description: "On", followUpQuestion: next }] });
    const round = (...way: readonly (readonly [number, number])[]) =>
      compile(
        questionnaire(
          way.map(([id, next]) => to(id, next)),
          { initialQuestion: 2, embeddedQuestion: 2 },
        ),
      );
    const highest = round([2, 9], [9, 3], [3, 9]);
    expect(after("2.1 9.1 3.1", initialState(highest), highest)).toMatchObject({ currentQuestionId: 9, visitedQuestionIds: [2] });
    const between = round([2, 9], [9, 5], [5, 4], [4, 3], [3, 5]);
    expect(after("2.1 9.1 5.1 4.1 3.1", initialState(between), between)).toMatchObject({
      currentQuestionId: 5,
      visitedQuestionIds: [2, 9],
    });
  });
  it("names an unknown question and an unknown option", () => {
    expect(reasonOf(() => after("99.1"))).toBe("unknownQuestion");
    expect(reasonOf(() => after("2.9"))).toBe("unknownOption");
    expect(reasonOf(() => nextQuestionId(small, initialState(small), 99, 1, mexico))).toBe("unknownQuestion");
    expect(reasonOf(() => nextQuestionId(small, initialState(small), 2, 9, mexico))).toBe("unknownOption");
  });
});

describe("moving to a question", () => {
  it("truncates the visited and selected history from that question onward", () => {
    expect(send(after("2.1 3.1 41.1 42.1"), { type: "moveTo", questionId: 41 }).state).toMatchObject({
      visitedQuestionIds: [2, 3],
      selectedOptions: [
        { questionId: 2, optionId: 1 },
        { questionId: 3, optionId: 1 },
      ],
      currentQuestionId: 41,
    });
  });
  it("keeps the history when the question is not part of it", () => {
    expect(send(after("2.1"), { type: "moveTo", questionId: 60 }).state).toMatchObject({ visitedQuestionIds: [2], currentQuestionId: 60 });
  });
  it("refuses an unknown question", () => {
    expect(reasonOf(() => send(initialState(small), { type: "moveTo", questionId: 99 }))).toBe("unknownQuestion");
  });
});

describe("the next question", () => {
  it("is the fixed follow-up after the last level question, whatever the answer", () => {
    const compiled = compile(
      questionnaire(
        smallQuestions.map((question) =>
          question.id === 44 ? { ...question, options: question.options.map((option) => ({ ...option, followUpQuestion: 55 })) } : question,
        ),
      ),
    );
    for (const option of [1, 2, 3])
      expect(after(`2.1 3.1 41.1 42.1 43.1 44.${option}`, initialState(compiled), compiled).currentQuestionId).toBe(54);
  });
  it("is 53 after two No", () => {
    expect(after("2.1 3.1 41.3").currentQuestionId).toBe(42);
    expect(after("2.1 3.1 41.3 42.3").currentQuestionId).toBe(53);
    expect(after("2.1 3.1 41.3 42.1 43.3").currentQuestionId).toBe(53);
  });
  it("is 53 after two Maybe and a No: level rules are checked on a No only", () => {
    expect(after("2.1 3.1 41.2 42.2 43.3").currentQuestionId).toBe(53);
    expect(after("2.1 3.1 41.3 42.2 43.2").currentQuestionId).toBe(44);
  });
  it("counts level questions only", () => {
    const compiled = compile(
      questionnaire(
        smallQuestions.map((question) =>
          question.id === 3
            ? { ...question, options: [{ id: 1, type: "No" as const, description: "No", followUpQuestion: 41 }] }
            : question,
        ),
      ),
    );
    expect(after("2.1 3.1 41.3", initialState(compiled), compiled).currentQuestionId).toBe(42);
  });
  it("does not check level rules on the No of another question", () => {
    const changed = smallQuestions.map((question) =>
      question.id === 55 ? { ...question, options: [{ id: 1, type: "No" as const, description: "No", followUpQuestion: 56 }] } : question,
    );
    const compiled = compile(questionnaire(changed));
    expect(after("2.1 3.1 41.3 42.3 53.1 55.1", initialState(compiled), compiled).currentQuestionId).toBe(56);
  });
  it("follows the definition's own level rules and last follow-up", () => {
    const compiled = compile(
      questionnaire(smallQuestions, {
        levelQuestionRules: [{ no: 1, maybe: 0, followUpQuestion: 55 }],
        lastLevelQuestionFollowUpQuestion: 56,
      }),
    );
    expect(after("2.1 3.1 41.3", initialState(compiled), compiled).currentQuestionId).toBe(55);
    expect(after("2.1 3.1 41.1 42.1 43.1 44.3", initialState(compiled), compiled).currentQuestionId).toBe(56);
  });
  it("is the home page for ToHomePage, and the visitor's question stays the same", () => {
    const { state, effects } = send(initialState(small), { type: "answer", questionId: 2, optionId: 3 });
    expect(effects.at(-1)).toEqual({ type: "goHome" });
    expect(state).toMatchObject({ visitedQuestionIds: [2], currentQuestionId: 2 });
    expect(send(state, { type: "answer", questionId: 2, optionId: 3 }).effects).toEqual([{ type: "goHome" }]);
    expect(nextQuestionId(small, state, 2, 3, mexico)).toBe(-1);
  });
  it("is the second-last visited question for ToPrevious, which can then be answered again", () => {
    const { state, effects } = send(after("2.1"), { type: "answer", questionId: 3, optionId: 2 });
    expect(state).toEqual(initialState(small));
    expect(effects.at(-1)).toEqual({ type: "goTo", questionId: 2 });
    const back = { id: 4, type: "ToPrevious" as const, description: "Let me change that" };
    const further = compile(
      questionnaire(
        smallQuestions.map((question) => (question.id === 42 ? { ...question, options: [...question.options, back] } : question)),
      ),
    );
    expect(after("2.1 3.1 41.1 42.4", undefined, further)).toMatchObject({ currentQuestionId: 41, visitedQuestionIds: [2, 3] });
  });
  it("is an error for ToPrevious without a history", () => {
    expect(reasonOf(() => after("3.2"))).toBe("noHistory");
  });
  it("is the first conditional follow-up whose rules hold; the option's own follow-up comes after it", () => {
    expect(after("2.1 3.1", undefined, small, { ...mexico, country: "BR" }).currentQuestionId).toBe(4);
    expect(after("2.1 3.1").currentQuestionId).toBe(41);
  });
  it("is the first of several conditional follow-ups that pass, also before a chosen schedule's", () => {
    const passes = (followUpQuestion: number, countryIs = "MX") => ({ requirements: { rules: [{ countryIs }] }, followUpQuestion });
    const followUps = [passes(4, "BR"), passes(67), passes(73)];
    const compiled = compile(
      questionnaire(
        smallQuestions.map((question) => ([3, 60].includes(question.id) ? { ...question, followUps } : question)),
        { schedules: schedules.map((schedule) => ({ ...schedule, followUpQuestion: 61 })) },
      ),
    );
    expect(after("2.1 3.1", undefined, compiled).currentQuestionId).toBe(67);
    expect(after("60.1", { ...initialState(compiled), currentQuestionId: 60, schedule: 3 }, compiled).currentQuestionId).toBe(67);
  });
  it("is the chosen schedule's follow-up, before the option's, on the question that offers the schedules", () => {
    const compiled = compile(
      questionnaire(smallQuestions, {
        schedules: schedules.map((schedule) => (schedule.id === 3 ? { ...schedule, followUpQuestion: 67 } : schedule)),
      }),
    );
    const at60 = after("60.1", { ...initialState(compiled), currentQuestionId: 60, schedule: 3 }, compiled);
    expect(at60.currentQuestionId).toBe(67);
    expect(after("61.1", { ...at60, currentQuestionId: 61 }, compiled).currentQuestionId).toBe(67);
    expect(after("60.1", { ...initialState(compiled), currentQuestionId: 60, schedule: 1 }, compiled).currentQuestionId).toBe(61);
    expect(after("73.1", at60, compiled).currentQuestionId).toBe(79);
  });
  it("is an error with the specification's message when no rule applies", () => {
    const compiled = compile(questionnaire([{ id: 2, contents: [], options: [{ id: 1, description: "On" }] }]));
    expect(() => after("2.1", initialState(compiled), compiled)).toThrow("No followUpId found!");
    expect(reasonOf(() => after("2.1", initialState(compiled), compiled))).toBe("noFollowUpId");
    expect(questionnaireReasons.noFollowUpId).toBe("No followUpId found!");
  });
});

describe("schedule and days", () => {
  const at60 = after("2.1 3.1 41.3 42.3 53.1 55.1 56.1");
  it("stores the schedule, its figures, and the program's end: its months from today, minus one day", () => {
    const { state, effects } = send(at60, { type: "chooseSchedule", scheduleId: 2 });
    expect(state).toMatchObject({
      schedule: 2,
      studySchedule: { id: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 },
      programEndDate: "2027-05-19",
      currentQuestionId: 60,
    });
    expect(effects).toEqual([
      { type: "save" },
      {
        type: "track",
        event: "StudyScheduleSelected",
        payload: { questionnaire: "76", schedule: 2, months: 6, practiseDaysPerWeek: 4, minutesPerSession: 20 },
      },
    ]);
    expect(send(state, { type: "chooseSchedule", scheduleId: 2 })).toEqual({ state, effects: [] });
  });
  it("does not go back when a schedule is chosen on a second question that asks for one", () => {
    const twice = compile(
      questionnaire(
        smallQuestions.map((question) => (question.id === 61 ? { ...question, contents: [{ type: "studySchedule" }] } : question)),
      ),
    );
    const at61 = after("60.1", at60, twice);
    expect(step(twice, at61, { type: "chooseSchedule", scheduleId: 2 }, mexico).state).toMatchObject({
      currentQuestionId: 61,
      visitedQuestionIds: at61.visitedQuestionIds,
    });
  });
  it("accepts a schedule when the history contains questions that no longer exist", () => {
    const old: State = { ...at60, visitedQuestionIds: [2, 999], currentQuestionId: 998 };
    expect(send(old, { type: "chooseSchedule", scheduleId: 2 }).state).toMatchObject({ schedule: 2, currentQuestionId: 998 });
  });
  it("does not change on a repeated answer, even on a later day", () => {
    const { state } = send(at60, { type: "chooseSchedule", scheduleId: 2 });
    const tomorrow = { ...mexico, today: "2026-11-21" };
    expect(step(small, state, { type: "answer", questionId: 2, optionId: 1 }, tomorrow).state).toBe(state);
  });
  it("keeps the figures of a schedule that no longer exists", () => {
    const old: State = { ...at60, schedule: 9, programEndDate: "2027-01-01" };
    expect(send(old, { type: "setUser", user: { firstname: "Ana" } }).state).toEqual({ ...old, user: { firstname: "Ana" } });
  });
  it("keeps days that were chosen before the schedule, and as many days as another schedule has", () => {
    const five = send(at60, { type: "chooseDays", days: [0, 1, 2, 3, 4] }).state;
    const chosen = send(five, { type: "chooseSchedule", scheduleId: 1 }).state;
    expect([chosen.days, after("60.1", chosen).days]).toEqual([five.days, five.days]);
    const three = send(send(at60, { type: "chooseSchedule", scheduleId: 3 }).state, { type: "chooseDays", days: [0, 2, 4] }).state;
    expect(send(three, { type: "chooseSchedule", scheduleId: 1 }).state.days).toEqual([0, 2, 4]);
  });
  it("takes over figures that differ by the schedule's id, the days or the minutes alone", () => {
    const figures = { months: 9, practiseDaysPerWeek: 3, minutesPerSession: 15 };
    const variants = [
      { answers: [{ questionId: 2, optionId: 1 }], ...figures, practiseDaysPerWeek: 4 },
      { answers: [{ questionId: 2, optionId: 2 }], ...figures, minutesPerSession: 20 },
    ];
    const twins = schedules.slice(0, 1).flatMap((schedule) => [1, 2].map((id) => ({ ...schedule, ...figures, id, variants })));
    const alike = compile(questionnaire(smallQuestions, { schedules: twins }));
    const choose = (scheduleId: number, state: State) => step(alike, state, { type: "chooseSchedule", scheduleId }, mexico).state;
    const chosen = choose(1, initialState(alike));
    expect(
      [chosen, choose(2, chosen), after("2.1", chosen, alike), after("2.2", chosen, alike)].map((state) => state.studySchedule),
    ).toEqual([
      { id: 1, ...figures },
      { id: 2, ...figures },
      { id: 1, ...figures, practiseDaysPerWeek: 4 },
      { id: 1, ...figures, minutesPerSession: 20 },
    ]);
  });
  it("refuses an unknown schedule", () => {
    expect(reasonOf(() => send(at60, { type: "chooseSchedule", scheduleId: 7 }))).toBe("unknownSchedule");
  });
  it("goes back to the schedule question when another schedule is chosen later", () => {
    const at67 = after("60.1 61.1", send(at60, { type: "chooseSchedule", scheduleId: 1 }).state);
    const { state } = send(at67, { type: "chooseSchedule", scheduleId: 3 });
    expect(state).toMatchObject({ schedule: 3, currentQuestionId: 60, visitedQuestionIds: at60.visitedQuestionIds });
  });
  it("keeps days sorted, once each, and between Monday and Sunday", () => {
    expect(send(at60, { type: "chooseDays", days: [4, 0, 4, 7, -1, 2.5, 2] }).state.days).toEqual([0, 2, 4]);
  });
  it("keeps the later history when other days are chosen, but not when all are removed", () => {
    const at67 = after("61.1", send(after("60.1", at60), { type: "chooseDays", days: [0, 1] }).state);
    expect(send(at67, { type: "chooseDays", days: [0, 2] }).state).toEqual({ ...at67, days: [0, 2] });
    expect(send(at67, { type: "chooseDays", days: [0, 1] })).toEqual({ state: at67, effects: [] });
    expect(send(at67, { type: "chooseDays", days: [] }).state).toMatchObject({ days: [], currentQuestionId: 61 });
  });
  it("goes back to the days when a schedule chosen later has fewer days", () => {
    const daysFirst = compile(
      questionnaire(
        smallQuestions.map((question) =>
          question.id === 60
            ? { ...question, contents: [{ type: "daySelection" }] }
            : question.id === 61
              ? { ...question, contents: [{ type: "studySchedule" }] }
              : question,
        ),
      ),
    );
    const choose = (state: State, event: QuestionnaireEvent) => step(daysFirst, state, event, mexico).state;
    const chosen = choose(at60, { type: "chooseDays", days: [0, 1, 2, 3, 4] });
    const fast = choose(after("60.1", chosen, daysFirst), { type: "chooseSchedule", scheduleId: 3 });
    expect(fast).toMatchObject({ currentQuestionId: 61, days: [0, 1, 2, 3, 4] });
    expect(choose(fast, { type: "chooseSchedule", scheduleId: 1 })).toMatchObject({ currentQuestionId: 60, days: [], schedule: 1 });
  });
  it("drops the answer with which the visitor stayed on the days question, because other days may not offer it", () => {
    const compiled = compile(
      questionnaire([
        ...smallQuestions.filter(({ id }) => id !== 61),
        {
          id: 61,
          contents: [{ type: "daySelection" }],
          options: [
            { id: 1, description: "On", followUpQuestion: 67 },
            { id: 2, type: "ToHomePage", description: "Later", requirements: { type: "and", rules: [{ days: "off" }] } },
          ],
        },
      ]),
    );
    const left = after("60.1 61.2", at60, compiled);
    expect(left).toMatchObject({ currentQuestionId: 61, selectedOptions: expect.arrayContaining([{ questionId: 61, optionId: 2 }]) });
    const { state } = step(compiled, left, { type: "chooseDays", days: [0] }, mexico);
    expect(state).toMatchObject({ days: [0], currentQuestionId: 61, visitedQuestionIds: expect.not.arrayContaining([61]) });
    expect(replayAnswers(compiled, encodeAnswers(state), mexico)).toEqual(state);
  });
});

describe("the visitor's own data", () => {
  it("toggles the items of the three lists", () => {
    for (const list of ["skillsToImprove", "moreInfoOf", "programChangeWish"] as const) {
      const one = send(initialState(small), { type: "toggleListItem", list, item: "speaking" }).state;
      expect(one[list]).toEqual(["speaking"]);
      expect(send(one, { type: "toggleListItem", list, item: "speaking" }).state[list]).toEqual([]);
    }
  });
  it("merges the user's fields, marks sign-up as done with its uuid, and the end with its time", () => {
    const named = send(initialState(small), { type: "setUser", user: { firstname: "Ana" } }).state;
    const signedUp = send(named, { type: "signedUp", uuid: "u-1" }).state;
    expect(signedUp).toMatchObject({ signupDone: true, user: { firstname: "Ana", uuid: "u-1" } });
    expect(send(signedUp, { type: "finish", at: "2026-11-20T10:00:00Z" }).state).toMatchObject({
      finished: true,
      finishedTimestamp: "2026-11-20T10:00:00Z",
    });
  });
});

describe("after the sign-up", () => {
  const signedUp: State = { ...initialState(small), signupDone: true, user: { firstname: "Ana" } };
  it("skips the sign-up screens for a signed-up visitor from other questions", () => {
    expect(after("61.1", signedUp).currentQuestionId).toBe(73);
    expect(questionAfterSignup(small, signedUp, mexico)).toBe(73);
  });
  it("does not skip from one sign-up screen to the next, and asks for a missing name", () => {
    expect(after("68.1", signedUp).currentQuestionId).toBe(69);
    expect(after("61.1", { ...signedUp, user: {} }).currentQuestionId).toBe(69);
  });
  it("skips the sign-up screens when a repeated answer follows the history", () => {
    const state: State = { ...after("61.1 67.1 68.1 69.1"), signupDone: true };
    expect(send(state, { type: "answer", questionId: 61, optionId: 1 }).effects).toEqual([{ type: "goTo", questionId: 73 }]);
    expect(send(state, { type: "answer", questionId: 67, optionId: 1 }).effects).toEqual([{ type: "goTo", questionId: 68 }]);
  });
  it("follows the history, even to a question that no longer exists", () => {
    const state: State = { ...after("61.1 67.1 68.1 69.1"), signupDone: true, visitedQuestionIds: [61, 67, 999] };
    expect(send(state, { type: "answer", questionId: 61, optionId: 1 }).effects).toEqual([{ type: "goTo", questionId: 999 }]);
  });
  it("throws for sign-up screens that form a cycle", () => {
    const compiled = compile(
      questionnaire(
        smallQuestions.map((question) =>
          question.id === 69 ? { ...question, options: [{ id: 1, description: "On", followUpQuestion: 67 }] } : question,
        ),
      ),
    );
    expect(reasonOf(() => questionAfterSignup(compiled, signedUp, mexico))).toBe("noFollowUpId");
  });
  it("is no question without sign-up screens", () => {
    expect(questionAfterSignup(compile(questionnaire(smallQuestions.slice(0, 2))), signedUp, mexico)).toBeUndefined();
  });
});

describe("the final program view", () => {
  const without = (...ids: readonly number[]) => compile(questionnaire(smallQuestions.filter((question) => !ids.includes(question.id))));
  it("comes from the ThankYouView's follow-ups, else from its last option", () => {
    expect(finalProgramView(small, initialState(small), mexico)).toBe(80);
    const compiled = compile(
      questionnaire(
        smallQuestions.map((question) =>
          question.id === 79
            ? { ...question, followUps: [{ requirements: { rules: [{ countryIs: "MX" }] }, followUpQuestion: 73 }] }
            : question,
        ),
      ),
    );
    expect(finalProgramView(compiled, initialState(compiled), mexico)).toBe(73);
    expect(finalProgramView(compiled, initialState(compiled), { ...mexico, country: "AR" })).toBe(80);
  });
  it("comes from the PreparingProgram's last option with a follow-up without a ThankYouView", () => {
    const compiled = compile(
      questionnaire(
        smallQuestions
          .filter((question) => question.id !== 79)
          .map((question) =>
            question.id === 73
              ? {
                  ...question,
                  options: [
                    { id: 1, description: "On", followUpQuestion: 80 },
                    { id: 2, description: "Stay" },
                  ],
                }
              : question,
          ),
      ),
    );
    expect(finalProgramView(compiled, initialState(compiled), mexico)).toBe(80);
  });
  it("is an error without a way on, and without a PreparingProgram", () => {
    expect(reasonOf(() => finalProgramView(without(73, 79), initialState(small), mexico))).toBe("noPreparingProgram");
    expect(reasonOf(() => finalProgramView(without(79, 80), initialState(small), mexico))).toBe("noThankYouView");
  });
});

describe("the engine in edge cases", () => {
  /** The small questionnaire with one question changed. */
  const changed = (id: number, changes: Partial<(typeof smallQuestions)[number]>) =>
    compile(questionnaire(smallQuestions.map((question) => (question.id === id ? { ...question, ...changes } : question))));
  const on = (id: number, followUpQuestion?: number) => ({
    id,
    description: "On",
    ...(followUpQuestion === undefined ? {} : { followUpQuestion }),
  });
  const signedUp: State = { ...initialState(small), signupDone: true, user: { firstname: "Ana" } };

  it("counts a Yes neither as No nor as Maybe", () => {
    expect(after("2.1 3.1 41.1 42.3").currentQuestionId).toBe(43);
    expect(after("2.1 3.1 41.1 42.1 43.3").currentQuestionId).toBe(44);
  });
  it("ignores answers that are not in the questionnaire", () => {
    const known = after("2.1 3.1 41.3");
    const state = {
      ...known,
      selectedOptions: [{ questionId: 99, optionId: 1 }, { questionId: 41, optionId: 9 }, ...known.selectedOptions],
    };
    expect(nextQuestionId(small, state, 41, 3, mexico)).toBe(42);
  });
  it("skips sign-up screens by the answer given there, and throws without a way on", () => {
    const compiled = changed(68, { options: [on(1, 73), on(2, 69)] });
    expect(questionAfterSignup(compiled, { ...signedUp, selectedOptions: [{ questionId: 68, optionId: 1 }], user: {} }, mexico)).toBe(73);
    expect(questionAfterSignup(compiled, { ...signedUp, user: {} }, mexico)).toBe(69);
    expect(reasonOf(() => questionAfterSignup(changed(68, { options: [on(1)] }), signedUp, mexico))).toBe("noFollowUpId");
    expect(pastSignup(small, signedUp, 99, mexico)).toBe(99);
  });
  it("skips a sign-up screen by its way on, not by the follow-up that its way back names", () => {
    const compiled = changed(68, { options: [on(1, 73), { ...on(2, 41), type: "ToPrevious" }] });
    expect(questionAfterSignup(compiled, signedUp, mexico)).toBe(73);
  });
  it("ignores a final program view that does not exist", () => {
    expect(finalProgramView(changed(79, { options: [on(1, 99)] }), initialState(small), mexico)).toBe(79);
    expect(finalProgramView(changed(79, { options: [on(1)] }), initialState(small), mexico)).toBe(79);
  });
  it("has the effect goTo for a moveTo event", () => {
    expect(send(after("2.1"), { type: "moveTo", questionId: 2 }).effects).toEqual([{ type: "save" }, { type: "goTo", questionId: 2 }]);
  });
  it("accepts Sunday, and goes back to the days question for days chosen later", () => {
    const at67: State = { ...after("61.1 67.1"), schedule: 1 };
    expect(send(at67, { type: "chooseDays", days: [6] }).state).toMatchObject({ days: [6], currentQuestionId: 61, visitedQuestionIds: [] });
  });
  it("removes one item from a list and leaves the others", () => {
    const both = ["speaking", "writing"].reduce<State>(
      (state, item) => send(state, { type: "toggleListItem", list: "moreInfoOf", item }).state,
      initialState(small),
    );
    expect(send(both, { type: "toggleListItem", list: "moreInfoOf", item: "speaking" }).state.moreInfoOf).toEqual(["writing"]);
  });
  it("throws noEmbeddedQuestion without the question, and for a question without options", () => {
    expect(reasonOf(() => prefillEmbedded(changed(2, { options: [] }), mexico))).toBe("noEmbeddedQuestion");
    const without = compile(questionnaire(smallQuestions.slice(1), { initialQuestion: 3 }));
    expect(reasonOf(() => prefillEmbedded(without, mexico, 1))).toBe("noEmbeddedQuestion");
  });
  it("leads home only for a repeat of the last answer", () => {
    const state = { ...after("2.3"), visitedQuestionIds: [2, 3], currentQuestionId: 41 };
    expect(send(state, { type: "answer", questionId: 2, optionId: 3 }).effects).toEqual([{ type: "goTo", questionId: 3 }]);
  });
  it("throws for a follow-up that does not exist, and truncates the history where an answer leads back into it", () => {
    expect(reasonOf(() => after("2.1", undefined, changed(2, { options: [on(1, 99)] })))).toBe("unknownQuestion");
    const back = changed(41, { options: [on(1, 3)] });
    expect(after("2.1 3.1 41.1", initialState(back), back)).toMatchObject({ currentQuestionId: 3, visitedQuestionIds: [2] });
  });
  it("follows the history after a repeated answer, also when signed up", () => {
    const state: State = { ...after("2.1 3.1"), signupDone: true };
    expect(send(state, { type: "answer", questionId: 2, optionId: 1 }).effects).toEqual([{ type: "goTo", questionId: 3 }]);
  });
});
