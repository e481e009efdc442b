import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { describe, expect, it } from "vitest";
import type { Standing } from "../entitlement.ts";
import { compile } from "./compile.ts";
import { whereToNext } from "./destination.ts";
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

/** What can be saved, where it resumes, and where with a stored start at question 50. */
const saves: readonly {
  readonly name: string;
  readonly saved: State | "none" | "invalid";
  readonly at: number;
  readonly fromStart: number;
}[] = [
  { name: "nothing", saved: "none", at: 73, fromStart: 73 },
  { name: "something that is no state", saved: "invalid", at: 2, fromStart: 2 },
  { name: "a state before the first answer", saved: initialState(compiled), at: 2, fromStart: 2 },
  { name: "a state in the middle", saved: inTheMiddle, at: 44, fromStart: 2 },
  { name: "a state at the sign-up screens", saved: walked(...toSignup), at: 73, fromStart: 73 },
  { name: "a state after them", saved: { ...walked(...toSignup), currentQuestionId: 79 }, at: 79, fromStart: 79 },
  { name: "a state at a question that is no more", saved: { ...inTheMiddle, currentQuestionId: 999 }, at: 44, fromStart: 2 },
  { name: "a retired version's state of which all answers fit", saved: retired(upTo44), at: 44, fromStart: 2 },
  {
    name: "a retired version's state of which some fit",
    saved: retired([
      [2, 1],
      [3, 1],
      [30, 1],
      [41, 1],
    ]),
    at: 41,
    fromStart: 2,
  },
  {
    name: "a retired version's state of which none fits",
    saved: retired([
      [30, 1],
      [31, 1],
    ]),
    at: 2,
    fromStart: 2,
  },
];
const standings: readonly Standing[] = ["usable", "lapsed", "none"];
const targets = [undefined, null, 58, 3] as const;
const discounts = [null, "VUELVE"] as const;
const starts = [undefined, 50] as const;

const rows = saves.flatMap((save) =>
  standings.flatMap((standing) =>
    targets.flatMap((target) => discounts.flatMap((discount) => starts.map((start) => ({ ...save, standing, target, discount, start })))),
  ),
);

describe(`where to next, in ${rows.length} combinations`, () => {
  it.each(rows)(
    "with $name saved, a plan that is $standing, target $target, discount $discount and start $start",
    ({ saved, at, fromStart, standing, target, discount, start }) => {
      const next = whereToNext({
        standing,
        saved,
        compiled,
        context: mexico,
        user,
        discount,
        start,
        ...(target === undefined ? {} : { target }),
      });
      expect(next.kind).toBe({ usable: "subscription", lapsed: "reactivate", none: "question" }[standing]);
      if (next.kind === "reactivate") expect(next.discount).toBe(discount);
      // Question 58 does not exist here, 3 does.
      expect(next.state.currentQuestionId).toBe(target === 3 ? 3 : start === undefined ? at : fromStart);
      expect(next.state).toMatchObject({ id: "76", signupDone: true, user });
      const { visitedQuestionIds, selectedOptions } = next.state;
      expect(selectedOptions.map(({ questionId }) => questionId)).toEqual(visitedQuestionIds);
      for (const { questionId, optionId } of selectedOptions)
        expect(compiled.question(questionId)?.options.map(({ id }) => id)).toContain(optionId);
    },
  );

  it("keeps the answers given before the first that no longer fits, and drops the later ones", () => {
    const next = whereToNext({
      standing: "none",
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
    expect(next.state.selectedOptions).toEqual([
      { questionId: 2, optionId: 2 },
      { questionId: 3, optionId: 1 },
    ]);
    expect(next.state.currentQuestionId).toBe(41);
  });

  it("asks for a name that nobody gave yet", () => {
    expect(whereToNext({ standing: "none", saved: "none", compiled, context: mexico, user: { uuid: "u" } }).state.currentQuestionId).toBe(
      69,
    );
  });

  it("starts at the first question where a version has no sign-up screens", () => {
    const without = compile(
      questionnaire(
        smallQuestions
          .filter(({ type }) => type !== "SignupView")
          .map((question) =>
            question.id === 61 ? { ...question, options: [{ id: 1, description: "Go", followUpQuestion: 73 }] } : question,
          ),
      ),
    );
    expect(whereToNext({ standing: "none", saved: "none", compiled: without, context: mexico, user }).state.currentQuestionId).toBe(2);
  });
});
