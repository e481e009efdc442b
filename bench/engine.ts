/**
 * `npm run bench:engine`: compares our engine with an XState actor and survey-core in walks of 63 answers per second. Each keeps the history and
 * the chosen options of the same questionnaire. Ratios are taken within each round, so that load on the machine affects all alike. Fails below
 * thirty times XState's actor.
 */
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { type QuestionnaireInput, questionnaireSchema } from "#core/questionnaire/definition.ts";
import { levels } from "#test/questionnaires.ts";
import { initialState, step } from "#core/questionnaire/step.ts";
import { Model } from "survey-core";
import * as v from "valibot";
import { assign, createActor, setup } from "xstate";
import { median } from "./statistics.ts";

const answers = 63;
const rounds = 25;
const roundMilliseconds = 120;
const leastRatio = 30;

const first = 2;
const ids = Array.from({ length: answers }, (_, index) => first + index);
const end = first + answers;
const isLevel = (id: number) => id >= 41 && id <= 52;
const isBranch = (id: number) => id % 10 === 5;

const compiled = compile(
  v.parse(questionnaireSchema, {
    id: "76",
    version: 1,
    theme: "parlando",
    initialQuestion: first,
    embeddedQuestion: first,
    extraTrackingQuestion: first,
    progress: { type: "weight", end },
    userLevelAlgorithm: "LevelQuestion",
    userLevelMappings: [{ first: 41, last: 52, userLevel: "basic" }],
    levelQuestionRules: [],
    lastLevelQuestionFollowUpQuestion: 53,
    levels,
    schedules: [],
    productConfigurations: [],
    questions: [
      ...ids.map((id) => ({
        id,
        ...(isLevel(id) ? { type: "LevelQuestion" as const } : {}),
        contents: [{ type: "title", text: `Question ${id}` }],
        options: [1, 2, 3].map((option) => ({ id: option, description: `Option ${option}`, followUpQuestion: id + 1 })),
        ...(isBranch(id) ? { followUps: [{ requirements: { rules: [{ questionId: id, optionId: 2 }] }, followUpQuestion: end }] } : {}),
      })),
      { id: end, contents: [], options: [] },
    ],
  } satisfies QuestionnaireInput),
);
const context: Context = { locale: "es-419", country: "MX", platform: "android", requiresMarketingConsent: false, today: "2026-11-20" };

function walkOurs(): number {
  let state = initialState(compiled);
  for (let answer = 0; answer < answers; answer++)
    state = step(compiled, state, { type: "answer", questionId: state.currentQuestionId, optionId: 1 }, context).state;
  return state.visitedQuestionIds.length;
}

interface Walk {
  visited: readonly number[];
  selected: readonly { questionId: number; optionId: number }[];
}
const types: { context: Walk; events: { type: "ANSWER"; questionId: number; optionId: number } } = {
  context: { visited: [], selected: [] },
  events: { type: "ANSWER", questionId: 0, optionId: 0 },
};
const machine = setup({
  types,
  actions: {
    record: assign({
      visited: ({ context: walk, event }) => [...walk.visited, event.questionId],
      selected: ({ context: walk, event }) => [...walk.selected, { questionId: event.questionId, optionId: event.optionId }],
    }),
  },
  guards: { second: ({ event }) => event.optionId === 2 },
}).createMachine({
  id: "questionnaire",
  initial: `q${first}`,
  context: { visited: [], selected: [] },
  states: Object.fromEntries([
    ...ids.map((id) => [
      `q${id}`,
      {
        on: {
          ANSWER: [
            ...(isBranch(id) ? [{ guard: "second" as const, target: `q${end}`, actions: "record" as const }] : []),
            { target: `q${id + 1}`, actions: "record" as const },
          ],
        },
      },
    ]),
    [`q${end}`, {}],
  ]),
});

function walkXState(): number {
  const actor = createActor(machine).start();
  for (let answer = 0; answer < answers; answer++) actor.send({ type: "ANSWER", questionId: first + answer, optionId: 1 });
  const visited = actor.getSnapshot().context.visited.length;
  actor.stop();
  return visited;
}

const survey = {
  pages: [...ids, end].map((id) => ({ name: `p${id}`, elements: [{ type: "radiogroup", name: `q${id}`, choices: [1, 2, 3] }] })),
};

function walkSurvey(): number {
  const model = new Model(survey);
  for (let answer = 0; answer < answers; answer++) {
    model.setValue(`q${first + answer}`, 1);
    model.nextPage();
  }
  return model.currentPageNo;
}

/** Walks per second of one round. */
function round(walk: () => number): number {
  const started = performance.now();
  const until = started + roundMilliseconds;
  let walks = 0;
  do {
    if (walk() !== answers) throw new Error("A walk did not reach its end");
    walks += 1;
  } while (performance.now() < until);
  return (walks * 1000) / (performance.now() - started);
}

for (const walk of [walkOurs, walkXState, walkSurvey]) round(walk);
const turns = Array.from({ length: rounds }, () => ({ ours: round(walkOurs), xstate: round(walkXState) }));
const surveyRounds = [round(walkSurvey), round(walkSurvey), round(walkSurvey)];

const ours = median(turns.map((turn) => turn.ours));
const ratio = median(turns.map((turn) => turn.ours / turn.xstate));
const shown = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
console.log(`walks of ${answers} answers per second (medians of ${rounds} turns):`);
console.log(`  parlando     ${shown.format(ours)}`);
console.log(`  xstate actor ${shown.format(median(turns.map((turn) => turn.xstate)))}`);
console.log(`  survey-core  ${shown.format(median(surveyRounds))}`);
console.log(
  `ratio to xstate: ${shown.format(ratio)} (must be at least ${leastRatio}); to survey-core: ${shown.format(ours / median(surveyRounds))}`,
);
if (ratio < leastRatio) process.exitCode = 1;
