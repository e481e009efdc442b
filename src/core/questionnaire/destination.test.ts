import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import { compile } from "./compile.ts";
import { resumedState, migrateState, destinationFor } from "./destination.ts";
import type { State } from "./state.ts";
import { initialState, type QuestionnaireEvent, step } from "./step.ts";

const compiled = compile(smallQuestionnaire);
const user = { uuid: "u", email: "ana@example.com", firstname: "Ana" };

function walked(...answers: readonly (readonly [number, number])[]): State {
  const events = answers.map(([questionId, optionId]): QuestionnaireEvent => ({ type: "answer", questionId, optionId }));
  return events.reduce((state, event) => step(compiled, state, event, mexico).state, initialState(compiled, { uuid: "u" }));
}
const upTo44: readonly (readonly [number, number])[] = [
  [2, 1],
  [3, 1],
  [41, 1],
  [42, 1],
  [43, 1],
];
const toSignup: readonly (readonly [number, number])[] = [...upTo44, [44, 1], [54, 1], [55, 1], [56, 1], [60, 1], [61, 1]];
const inTheMiddle = walked(...upTo44);
const retired = (answers: readonly (readonly [number, number])[], more: Partial<State> = {}): State => ({
  ...inTheMiddle,
  id: "12",
  visitedQuestionIds: answers.map(([questionId]) => questionId),
  selectedOptions: answers.map(([questionId, optionId]) => ({ questionId, optionId })),
  currentQuestionId: 30,
  ...more,
});

/** Saved states: where each resumes, where with a stored start at question 50, and how many answers it keeps. */
const saves: readonly {
  readonly name: string;
  readonly saved: State | "none" | "invalid";
  readonly at: number;
  readonly fromStart: number;
  readonly answers: number;
}[] = [
  { name: "nothing", saved: "none", at: 73, fromStart: 73, answers: 0 },
  { name: "something that is no state", saved: "invalid", at: 2, fromStart: 2, answers: 0 },
  { name: "a state before the first answer", saved: initialState(compiled), at: 2, fromStart: 2, answers: 0 },
  { name: "a state in the middle", saved: inTheMiddle, at: 44, fromStart: 2, answers: 5 },
  { name: "a state at the sign-up screens", saved: walked(...toSignup), at: 73, fromStart: 73, answers: 11 },
  { name: "a state after them", saved: { ...walked(...toSignup), currentQuestionId: 79 }, at: 79, fromStart: 79, answers: 11 },
  { name: "a state at a question that is no more", saved: { ...inTheMiddle, currentQuestionId: 999 }, at: 44, fromStart: 2, answers: 5 },
  { name: "a state below the first question", saved: { ...inTheMiddle, currentQuestionId: 1 }, at: 2, fromStart: 2, answers: 5 },
  { name: "a retired version's state of which all answers fit", saved: retired(upTo44), at: 2, fromStart: 2, answers: 5 },
];
const targets = [undefined, null, 58, 3] as const;
const starts = [undefined, 50] as const;

const rows = saves.flatMap((save) => targets.flatMap((target) => starts.map((start) => ({ ...save, target, start }))));

describe(`the state to continue with, in ${rows.length} combinations`, () => {
  it.each(rows)("with $name saved, target $target and start $start", ({ saved, at, fromStart, answers, target, start }) => {
    const state = resumedState({ saved, compiled, context: mexico, user, start, ...(target === undefined ? {} : { target }) });
    const question = start === undefined ? at : fromStart;
    // Question 58 does not exist here, 3 does.
    expect(state.currentQuestionId).toBe(target === 3 ? 3 : question);
    expect(state).toMatchObject({ id: "76", signupDone: true, user });
    expect(state.selectedOptions.map(({ questionId }) => questionId)).toEqual(state.visitedQuestionIds);
    // A target keeps the answers; a new start has none.
    expect(state.selectedOptions).toHaveLength(target === 3 || question !== 2 ? answers : 0);
  });

  it("merges a retired version's answers into the target's questionnaire, up to the first answer that no longer fits", () => {
    const state = resumedState({
      target: 3,
      saved: retired([
        [2, 2],
        [3, 1],
        [41, 9],
        [42, 1],
      ]),
      compiled,
      context: mexico,
      user,
    });
    expect(state.selectedOptions).toEqual([
      { questionId: 2, optionId: 2 },
      { questionId: 3, optionId: 1 },
    ]);
    expect(state.currentQuestionId).toBe(3);
  });

  it("starts a retired version's state without answers at the target, or at the first question", () => {
    const none = retired([]);
    expect(resumedState({ saved: none, compiled, context: mexico, user, target: 3 })).toMatchObject({
      currentQuestionId: 3,
      selectedOptions: [],
    });
    expect(resumedState({ saved: none, compiled, context: mexico, user }).currentQuestionId).toBe(2);
    expect(migrateState(compiled, none, mexico).currentQuestionId).toBe(2);
  });

  it("stays at the question whose answer no longer fits if the previous answer leads home", () => {
    const home = retired([
      [2, 3],
      [3, 9],
    ]);
    expect(migrateState(compiled, home, mexico)).toMatchObject({ selectedOptions: [{ questionId: 2, optionId: 3 }], currentQuestionId: 3 });
  });

  it("stays there too if the previous answer no longer leads anywhere", () => {
    const nowhere = compile(
      questionnaire(
        smallQuestions.map((question) => (question.id === 2 ? { ...question, options: [{ id: 1, description: "On" }] } : question)),
      ),
    );
    const changed = retired([
      [2, 1],
      [3, 9],
    ]);
    expect(migrateState(nowhere, changed, mexico)).toMatchObject({
      selectedOptions: [{ questionId: 2, optionId: 1 }],
      currentQuestionId: 3,
    });
  });

  it("asks for the name if it is missing", () => {
    expect(resumedState({ saved: "none", compiled, context: mexico, user: { uuid: "u" } }).currentQuestionId).toBe(69);
  });

  it("starts at the first question if a version has no sign-up screens", () => {
    const without = compile(
      questionnaire(
        smallQuestions
          .filter(({ type }) => type !== "SignupView")
          .map((question) =>
            question.id === 61 ? { ...question, options: [{ id: 1, description: "Go", followUpQuestion: 73 }] } : question,
          ),
      ),
    );
    expect(resumedState({ saved: "none", compiled: without, context: mexico, user }).currentQuestionId).toBe(2);
  });
});

it.each([
  ["usable", false, "subscription"],
  ["usable", true, "subscription"],
  ["lapsed", false, "reactivate"],
  ["lapsed", true, "reactivate"],
  ["none", false, "question"],
  ["none", true, "reactivate"],
] as const)("a visitor whose plan is %s (asked to reactivate before: %s) continues at: %s", (standing, asked, page) => {
  expect(destinationFor(standing, asked)).toBe(page);
});
