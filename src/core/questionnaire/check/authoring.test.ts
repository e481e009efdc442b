import { questionnaire } from "#test/questionnaires.ts";
import { expect, it } from "vitest";
import { check } from "../check.ts";
import type { QuestionInput } from "../definition.ts";
import { type AuthoringRules, branchingQuestions } from "./authoring.ts";

const rules: AuthoringRules = {
  idRanges: [
    { kind: "the sign-up questions", types: ["SignupView"], first: 10, last: 12 },
    { kind: "the prices", blocks: ["price", "payment"], first: 20, last: 22 },
  ],
  screens: { LevelQuestion: { min: 9, max: 9 }, InitialLevel: { min: 3, max: 4 } },
  minBranches: 1,
};
const question = (id: number, next: readonly number[], more: Partial<QuestionInput> = {}): QuestionInput => ({
  id,
  contents: [],
  options: next.map((followUpQuestion, index) => ({ id: index + 1, description: "On", followUpQuestion })),
  ...more,
});
const signup = (id: number) => question(id, [20], { type: "SignupView" });
const price = (id: number) => question(id, [], { contents: [{ type: "price" }] });
const sound = [question(2, [10, 20]), signup(10), price(20)];

function found(questions: readonly QuestionInput[], authoring: AuthoringRules | undefined = rules) {
  const definition = questionnaire(questions, { userLevelAlgorithm: "InitialLevel" });
  const { findings } = check(definition, authoring && { authoring });
  return findings.filter(({ kind }) => kind === "authoring").map(({ question: id, message }) => `${id ?? "all"}: ${message}`);
}

it("finds nothing in a questionnaire that follows the conventions, nor without conventions", () => {
  expect(found(sound)).toEqual([]);
  expect(check(questionnaire([price(90)])).findings.filter(({ kind }) => kind === "authoring")).toEqual([]);
});

it("accepts as many questions as allowed, and leaves an id that is taken to the check of ids", () => {
  expect(found([...sound, price(20)])).toEqual([]);
});

it("counts questions as branches that lead to several others, except level questions", () => {
  const way = (id: number, followUpQuestion?: number) => ({ id, description: "On", followUpQuestion });
  const home = { id: 3, type: "ToHomePage" as const, description: "Home" };
  const branches = questionnaire([
    { id: 2, contents: [], options: [way(1, 3), way(2, 4)] },
    { id: 3, contents: [], options: [way(1, 4), way(2, 4), home] },
    { id: 4, contents: [], options: [way(1, 5)], followUps: [{ requirements: { rules: [] }, followUpQuestion: 6 }] },
    { id: 41, type: "LevelQuestion", contents: [], options: [way(1, 5), way(2, 6)] },
  ]);
  expect(branchingQuestions(branches)).toEqual([2, 4]);
});

it.each([
  [
    "a type outside its ids",
    [question(2, [9, 20]), signup(9), price(20)],
    "9: Question 9 is one of the sign-up questions, whose ids are 10 to 12.",
  ],
  [
    "a block outside its ids",
    [question(2, [10, 23]), signup(10), price(23)],
    "23: Question 23 is one of the prices, whose ids are 20 to 22.",
  ],
  ["ids that descend", [question(2, [10, 20]), price(20), signup(10)], "10: Question 10 comes after question 20: ids must ascend."],
  [
    "too few questions",
    [question(2, [10, 20]), signup(10)],
    "all: There are 2 questions; with the algorithm InitialLevel there are 3 to 4.",
  ],
  ["too many questions", [...sound, price(21), price(22)], "all: There are 5 questions; with the algorithm InitialLevel there are 3 to 4."],
  ["no branch", [question(2, [10]), signup(10), price(20)], "all: Only 0 questions lead to more than one other; at least 1 are required."],
])("finds %s", (_name, questions, message) => {
  expect(found(questions)).toEqual([message]);
});
