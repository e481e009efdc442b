/** Checks that ids are unique and that every follow-up question exists. */
import * as v from "valibot";
import { type BlockSchema, marked } from "../../marks.ts";
import type { CompiledQuestionnaire } from "../compile.ts";
import type { Reporter } from "./findings.ts";

export function checkIds({ definition }: CompiledQuestionnaire, report: Reporter): void {
  const twice = (things: readonly { readonly id: number }[]) =>
    things.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index);
  for (const id of twice(definition.questions)) report.fault("duplicateId", `Two questions have the id ${id}.`, { question: id });
  for (const id of twice(definition.schedules)) report.fault("duplicateId", `Two study schedules have the id ${id}.`);
  for (const question of definition.questions)
    for (const id of twice(question.options))
      report.fault("duplicateId", `Question ${question.id} has two options with the id ${id}.`, { question: question.id });
}

export function checkLinks({ definition, nodes }: CompiledQuestionnaire, blockSchema: BlockSchema | undefined, report: Reporter): void {
  const check = (what: string, next: number | undefined, question?: number) => {
    if (next !== undefined && nodes[next] === undefined)
      report.fault("unknownQuestion", `${what} leads to question ${next}, which does not exist.`, {
        question,
        joins: {
          topic: `Question ${next} does not exist. Links to it`,
          what: what.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
        },
      });
  };
  for (const { id: question, contents, options, followUps = [] } of definition.questions) {
    for (const { type, requirements: _, ...fields } of contents)
      for (const { mark, value } of marked(blockSchema?.(type) ?? v.unknown(), fields))
        if (mark === "question") check(`Block ${type} of question ${question}`, Number(value), question);
    for (const { id, followUpQuestion } of options) check(`Option ${id} of question ${question}`, followUpQuestion, question);
    for (const [index, { followUpQuestion }] of followUps.entries())
      check(`Follow-up ${index + 1} of question ${question}`, followUpQuestion, question);
  }
  for (const { id, followUpQuestion } of definition.schedules) check(`Study schedule ${id}`, followUpQuestion);
  check("The shortcut", definition.shortcutQuestion);
  if (!definition.questions.some(({ type }) => type === "LevelQuestion")) return;
  for (const { no, maybe, followUpQuestion } of definition.levelQuestionRules)
    check(`The level rule of ${no} No and ${maybe} Maybe`, followUpQuestion);
  check("The last level question", definition.lastLevelQuestionFollowUpQuestion);
}
