import { anyAnswer, anyChoice, anyContext, anyJump, anyPersonal, anyQuestionnaire, anyReturn, type Move } from "#test/questionnaires.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeAnswers, replayAnswers } from "./answer-code.ts";
import { type CompiledQuestionnaire, compile, optionOf } from "./compile.ts";
import type { Context } from "./context.ts";
import type { Questionnaire } from "./definition.ts";
import { QuestionnaireError } from "./error.ts";
import { shownPercent, progressPercent } from "./progress.ts";
import { visibleOptions } from "./requirements.ts";
import { savedState } from "./saved.ts";
import { parseSavedState } from "./storedState.ts";
import type { State } from "./state.ts";
import { initialState, type QuestionnaireEvent, step } from "./step.ts";

const answersAndReturns = fc.array(
  fc.oneof({ weight: 6, arbitrary: anyAnswer }, { weight: 2, arbitrary: anyChoice }, { weight: 1, arbitrary: anyReturn }),
  { maxLength: 40 },
);
const everything = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: anyAnswer },
    { weight: 2, arbitrary: anyChoice },
    { weight: 2, arbitrary: anyReturn },
    { weight: 1, arbitrary: anyPersonal },
    { weight: 1, arbitrary: anyJump },
  ),
  { maxLength: 40 },
);
const cases = (moves: fc.Arbitrary<readonly Move[]>) => fc.record({ definition: anyQuestionnaire, context: anyContext, moves });
const runs = { numRuns: 400 };

function eventFor(compiled: CompiledQuestionnaire, state: State, move: Move, context: Context): QuestionnaireEvent | null {
  const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];
  if (move.kind === "event") return move.event;
  if (move.kind === "jump") {
    const question = pick(compiled.definition.questions, move.pick);
    return question === undefined ? null : { type: "moveTo", questionId: question.id };
  }
  if (move.kind === "answer") {
    const question = compiled.question(state.currentQuestionId);
    const option = question === undefined ? undefined : pick(visibleOptions(compiled, question, state, context), move.pick);
    return question === undefined || option === undefined ? null : { type: "answer", questionId: question.id, optionId: option.id };
  }
  const selected = pick(state.selectedOptions, move.pick);
  if (selected === undefined) return null;
  return move.kind === "back" ? { type: "moveTo", questionId: selected.questionId } : { type: "answer", ...selected };
}

/** All states of a random walk, each deeply frozen before the next step. */
function walk(compiled: CompiledQuestionnaire, moves: readonly Move[], context: Context): readonly State[] {
  const states = [deepFreeze(initialState(compiled))];
  for (const move of moves) {
    const state = states.at(-1) ?? initialState(compiled);
    const event = eventFor(compiled, state, move, context);
    if (event !== null) states.push(deepFreeze(step(compiled, state, deepFreeze(event), context).state));
  }
  return states;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner);
  return value;
}

/** The possible targets of an answer, read directly from the definition. */
function edges(definition: Questionnaire, questionId: number, optionId: number): ReadonlySet<number> {
  const question = definition.questions.find((each) => each.id === questionId);
  const option = question?.options.find((each) => each.id === optionId);
  const levels = definition.questions.filter((each) => each.type === "LevelQuestion").map((each) => each.id);
  if (questionId === levels.at(-1)) return new Set([definition.lastLevelQuestionFollowUpQuestion]);
  if (option?.type === "ToHomePage")
    return new Set([
      questionId,
      ...(levels.includes(questionId) ? definition.levelQuestionRules.map((rule) => rule.followUpQuestion) : []),
    ]);
  const ways = [option?.followUpQuestion, ...(question?.followUps ?? []).map((followUp) => followUp.followUpQuestion)];
  if (question?.contents.some((item) => item.type === "studySchedule"))
    ways.push(...definition.schedules.map((schedule) => schedule.followUpQuestion));
  if (levels.includes(questionId) && option?.type === "No")
    ways.push(...definition.levelQuestionRules.map((rule) => rule.followUpQuestion));
  return new Set(ways.filter((id) => id !== undefined));
}

describe("the engine over arbitrary questionnaires", () => {
  it("keeps a history that is a path of the definition from the initial question to the current one", () => {
    fc.assert(
      fc.property(cases(answersAndReturns), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walk(compiled, moves, context)) {
          const [first] = [...state.visitedQuestionIds, state.currentQuestionId];
          expect(first).toBe(definition.initialQuestion);
          state.selectedOptions.forEach(({ questionId, optionId }, index) => {
            const next = state.selectedOptions[index + 1]?.questionId ?? state.currentQuestionId;
            expect(edges(definition, questionId, optionId), `${questionId}.${optionId} → ${next}`).toContain(next);
          });
        }
      }),
      runs,
    );
  });

  it("reaches the same state when a visitor goes back and repeats the answers", () => {
    fc.assert(
      fc.property(cases(answersAndReturns), fc.nat(), ({ definition, context, moves }, seed) => {
        const compiled = compile(definition);
        const end = walk(compiled, moves, context).at(-1) ?? initialState(compiled);
        const from = end.selectedOptions.length === 0 ? 0 : seed % end.selectedOptions.length;
        const answers = end.selectedOptions.slice(from);
        const [first] = answers;
        if (first === undefined) return;
        let again = step(compiled, end, { type: "moveTo", questionId: first.questionId }, context).state;
        for (const answer of answers) again = step(compiled, again, { type: "answer", ...answer }, context).state;
        if (end.currentQuestionId !== again.currentQuestionId) expect(again.visitedQuestionIds).toContain(again.currentQuestionId);
        expect(again).toEqual(end);
      }),
      runs,
    );
  });

  it("never keeps an answer to an unvisited question, nor a question twice", () => {
    fc.assert(
      fc.property(cases(everything), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walkOrNoHistory(compiled, moves, context)) {
          expect(state.selectedOptions.map((selected) => selected.questionId)).toEqual(state.visitedQuestionIds);
          expect(new Set(state.visitedQuestionIds).size).toBe(state.visitedQuestionIds.length);
          expect(compiled.question(state.currentQuestionId)).toBeDefined();
        }
      }),
      runs,
    );
  });

  it("gives the same result for the same input and does not change its input", () => {
    fc.assert(
      fc.property(cases(everything), ({ definition, context, moves }) => {
        const compiled = compile(deepFreeze(definition));
        expect(walkOrNoHistory(compiled, moves, context)).toEqual(walkOrNoHistory(compile(definition), moves, context));
      }),
      runs,
    );
  });

  it("can leave every reached question by every visible option", () => {
    fc.assert(
      fc.property(cases(answersAndReturns), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walk(compiled, moves, context)) {
          const question = compiled.question(state.currentQuestionId);
          const options = question === undefined ? [] : visibleOptions(compiled, question, state, context);
          expect(options.length).toBeGreaterThan(0);
          for (const option of options) {
            const { effects } = step(
              compiled,
              state,
              { type: "answer", questionId: state.currentQuestionId, optionId: option.id },
              context,
            );
            expect(effects.filter((effect) => effect.type === "goTo" || effect.type === "goHome")).toHaveLength(1);
          }
        }
      }),
      runs,
    );
  });

  it("loads what it saved, except the password", () => {
    fc.assert(
      fc.property(cases(everything), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walkOrNoHistory(compiled, moves, context)) {
          const stored: unknown = JSON.parse(JSON.stringify(savedState(state)));
          const { password: _, ...user } = state.user;
          expect(parseSavedState(stored)).toEqual({
            ...state,
            user,
            ...(state.schedule === undefined ? { studySchedule: undefined, programEndDate: undefined } : {}),
          });
        }
      }),
      runs,
    );
  });

  it("replays a link's answers to the state that they were encoded from", () => {
    fc.assert(
      fc.property(cases(answersAndReturns), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walk(compiled, moves, context)) expect(replayAnswers(compiled, encodeAnswers(state), context)).toEqual(state);
      }),
      runs,
    );
  });

  it("replays any untrusted answer code to a reachable state", () => {
    fc.assert(
      fc.property(
        anyQuestionnaire,
        anyContext,
        fc.oneof(
          fc.string(),
          fc
            .array(fc.constantFrom("2.1", "3.1", "3.2", "4.1", "s1", "s9", "d0123456", "d9", "x", "2.99", ""))
            .map((parts) => parts.join("~")),
        ),
        (definition, context, code) => {
          const compiled = compile(definition);
          const state = replayAnswers(compiled, code, context);
          for (const { questionId, optionId } of state.selectedOptions) {
            const question = compiled.question(questionId);
            expect(question && optionOf(question, optionId)).toBeDefined();
          }
          expect(replayAnswers(compiled, encodeAnswers(state), context)).toEqual(state);
        },
      ),
      runs,
    );
  });

  it("shows progress between 0 and 100 that never decreases on the way forward", () => {
    fc.assert(
      fc.property(cases(fc.array(anyAnswer, { maxLength: 30 })), ({ definition, context, moves }) => {
        const compiled = compile(definition);
        for (const state of walk(compiled, moves, context)) {
          const shown = [...state.visitedQuestionIds, state.currentQuestionId].map((id) => shownPercent(compiled, state, id));
          expect(shown.toSorted((a, b) => a - b)).toEqual(shown);
          for (const { id } of definition.questions) {
            expect(progressPercent(compiled, id)).toBeGreaterThanOrEqual(0);
            expect(progressPercent(compiled, id)).toBeLessThanOrEqual(100);
          }
        }
      }),
      runs,
    );
  });
});

/**
 * A walk; null if it ends at a question reached by a jump, without a history to go back to. That is the only error a sound definition
 * allows.
 */
function walkOrNoHistory(compiled: CompiledQuestionnaire, moves: readonly Move[], context: Context): readonly State[] {
  const states = [deepFreeze(initialState(compiled))];
  for (const move of moves) {
    const state = states.at(-1) ?? initialState(compiled);
    const event = eventFor(compiled, state, move, context);
    if (event === null) continue;
    try {
      states.push(deepFreeze(step(compiled, state, event, context).state));
    } catch (error) {
      expect(error).toBeInstanceOf(QuestionnaireError);
      expect(error).toMatchObject({ reason: "noHistory" });
      return states;
    }
  }
  return states;
}
