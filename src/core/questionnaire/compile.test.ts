import { questionnaire, schedules, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { expect, test } from "vitest";
import { compile } from "./compile.ts";
import type { QuestionInput } from "./definition.ts";

const home: QuestionInput = { id: 80, contents: [], options: [{ id: 1, type: "ToHomePage", description: "Home" }] };
const to = (...questionIds: readonly number[]): QuestionInput["options"] =>
  questionIds.map((followUpQuestion, index) => ({ id: index + 1, description: "On", followUpQuestion }));
const successorsIn = (compiled: ReturnType<typeof compile>) =>
  Object.fromEntries(compiled.definition.questions.map(({ id }) => [id, compiled.nodes[id]?.successors]));

test("each question lists all possible next questions, without ways back and home", () => {
  expect(successorsIn(compile(smallQuestionnaire))).toEqual({
    2: [3],
    3: [4, 41],
    4: [41],
    41: [42, 53],
    42: [43, 53],
    43: [44, 53],
    // The last level question has a fixed follow-up.
    44: [54],
    53: [55],
    54: [55],
    55: [56],
    56: [60],
    60: [61],
    61: [67],
    67: [68],
    68: [69],
    69: [73],
    73: [79],
    79: [80],
    80: [],
  });
});

test("ways back and home ignore their follow-up; a schedule's follow-up applies only on its block's question; No on a level question leads to the level rules", () => {
  const compiled = compile(
    questionnaire(
      [
        {
          id: 2,
          contents: [],
          options: [
            { id: 1, description: "On", followUpQuestion: 60 },
            { id: 2, type: "No", description: "No", followUpQuestion: 61 },
            { id: 3, type: "ToPrevious", description: "Back", followUpQuestion: 79 },
            { id: 4, type: "ToHomePage", description: "Home", followUpQuestion: 79 },
            { id: 5, description: "As the follow-ups say" },
          ],
        },
        { id: 41, type: "LevelQuestion", contents: [], options: [{ id: 1, type: "Yes", description: "Yes", followUpQuestion: 42 }] },
        { id: 42, type: "LevelQuestion", contents: [], options: to(60) },
        { id: 60, contents: [{ type: "studySchedule" }], options: to(61) },
        { id: 61, contents: [{ type: "daySelection" }], options: to(79) },
        { id: 79, type: "ThankYouView", contents: [], options: to(80) },
        home,
      ],
      { schedules: schedules.map((each) => (each.id === 2 ? { ...each, followUpQuestion: 79 } : each)) },
    ),
  );
  expect(successorsIn(compiled)).toEqual({ 2: [60, 61], 41: [42], 42: [54], 60: [79, 61], 61: [79], 79: [80], 80: [] });
});

test("each question lists its kind and the input that it asks for", () => {
  const { nodes, firstOfType, question } = compile(smallQuestionnaire);
  const those = (what: "isLevel" | "isLastLevel" | "isSignup" | "choosesSchedule" | "choosesDays" | "asksName" | "asksPassword") =>
    nodes.flatMap((node) => (node?.[what] === true ? [node.question.id] : []));
  expect({
    isLevel: those("isLevel"),
    isLastLevel: those("isLastLevel"),
    isSignup: those("isSignup"),
    choosesSchedule: those("choosesSchedule"),
    choosesDays: those("choosesDays"),
    asksName: those("asksName"),
    asksPassword: those("asksPassword"),
  }).toEqual({
    isLevel: [41, 42, 43, 44],
    isLastLevel: [44],
    isSignup: [67, 68, 69],
    choosesSchedule: [60],
    choosesDays: [61],
    asksName: [69],
    asksPassword: [68],
  });
  expect(Object.fromEntries(Object.entries(firstOfType).map(([type, first]) => [type, first.id]))).toEqual({
    LevelQuestion: 41,
    InitialLevelView: 55,
    TargetLevelView: 56,
    SignupView: 67,
    PreparingProgram: 73,
    ThankYouView: 79,
  });
  expect([question(2)?.id, question(999), nodes[0]]).toEqual([2, undefined, undefined]);
  expect(nodes[41]?.goTo).toEqual({ type: "goTo", questionId: 41 });
});

test("each answer has its tracking payloads, at question 3 for the campaign too; of two equal ids the first counts", () => {
  const compiled = compile(
    questionnaire(
      smallQuestions.map((each) =>
        each.id === 2 ? { ...each, options: [...each.options, { id: 1, description: "Again", followUpQuestion: 80 }] } : each,
      ),
    ),
  );
  const tracked = (questionId: number) => ({
    type: "track",
    event: "QuestionnaireAnswer",
    payload: { questionnaire: "76", questionId, optionId: 1 },
  });
  expect(compiled.nodes[2]?.answers[1]).toEqual({
    option: { id: 1, description: "Work", followUpQuestion: 3 },
    selected: { questionId: 2, optionId: 1 },
    track: tracked(2),
    extraTrack: undefined,
    effects: [{ type: "save" }, tracked(2), { type: "goTo", questionId: 3 }],
  });
  expect(compiled.nodes[3]?.answers[1]).toMatchObject({
    track: tracked(3),
    extraTrack: { type: "track", event: "CampaignEvent", payload: { questionnaire: "76", name: "question-3-option-1" } },
  });
  expect(compiled.nodes[2]?.answers[0]).toBeUndefined();
});

test("the weight to the end is that of the lightest path, not of the shortest; without a path it is infinite", () => {
  const compiled = compile(
    questionnaire([
      // A cycle of questions without weight does not make a path lighter.
      { id: 10, weight: 0, contents: [], options: to(11, 80) },
      { id: 11, weight: 0, contents: [], options: to(10) },
      // The order by id counts, not this order.
      { id: 9, weight: 1, contents: [], options: to(2) },
      { id: 2, weight: 2, contents: [], options: to(3, 4) },
      { id: 3, weight: 30, contents: [], options: to(80) },
      { id: 4, weight: 5, contents: [], options: to(5) },
      { id: 5, weight: 7, contents: [], options: to(6, 80) },
      { id: 6, weight: 1, contents: [], options: to(80) },
      { id: 7, weight: 1, contents: [], options: to(8) },
      { id: 8, weight: 1, contents: [], options: to(7) },
      { ...home, weight: 3 },
    ]),
  );
  const of = (what: "weightUpTo" | "weightToEnd") =>
    Object.fromEntries(compiled.nodes.flatMap((node, id) => (node ? [[id, node[what]]] : [])));
  expect(of("weightUpTo")).toEqual({ 2: 2, 3: 32, 4: 37, 5: 44, 6: 45, 7: 46, 8: 47, 9: 48, 10: 48, 11: 48, 80: 51 });
  expect(of("weightToEnd")).toEqual({ 2: 15, 3: 3, 4: 10, 5: 3, 6: 3, 7: Infinity, 8: Infinity, 9: 17, 10: 3, 11: 3, 80: 0 });
});
