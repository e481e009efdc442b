/** The steps of a version, in the questionnaire's order. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Question } from "#core/questionnaire/definition.ts";
import type { Counted } from "#studio/contract/funnel.ts";
import type { Questionnaires } from "../../base/questionnaires.ts";
import { type MilestoneScreens, milestoneScreens } from "../../events/milestones.ts";
import type { Counts } from "../../events/tally.ts";
import { titleOf } from "./words.ts";

/** The questions of a version in English; empty for a retired version. */
export function questionsOf({ versions, questionnaireFor }: Questionnaires, version: string): readonly Question[] {
  return versions.includes(version) ? questionnaireFor(version, "en-US").questions : [];
}

export const screensOf = (questionnaires: Questionnaires, version: string): MilestoneScreens =>
  milestoneScreens(questionsOf(questionnaires, version));

/** Compiles the questionnaires for `screensOf`, one per turn of the event loop: all at once would hold visitors up for 100 ms. */
export async function prepareScreens(questionnaires: Questionnaires): Promise<void> {
  for (const version of questionnaires.versions) {
    screensOf(questionnaires, version);
    await nextTurn();
  }
}

/** Nothing follows the question, and nothing is paid there. */
function endsFunnel({ options = [], followUps = [], contents }: Question): boolean {
  const leadsOn = followUps.length > 0 || options.some(({ followUpQuestion }) => followUpQuestion !== undefined);
  return !leadsOn && !contents.some(({ type }) => type === "paddle");
}

/** Adds titles and sorts by the questionnaire's order. */
export function namedSteps(
  questionnaires: Questionnaires,
  version: string,
  { steps, ...counts }: Counts & Pick<Counted, "changedDays">,
): Counted {
  const questions = questionsOf(questionnaires, version);
  const positions = new Map(questions.map(({ id }, index) => [id, index]));
  const ends = new Set(questions.filter(endsFunnel).map(({ id }) => id));
  const titles = new Map(questions.map((question) => [question.id, titleOf(question)]));
  // Questions that were removed from the version come last.
  const positionOf = (questionId: number) => positions.get(questionId) ?? questions.length + questionId;
  return {
    version,
    ...counts,
    steps: steps
      .toSorted((a, b) => positionOf(a.questionId) - positionOf(b.questionId))
      .map((step) => ({ ...step, title: titles.get(step.questionId) ?? "(no longer in this version)", isEnd: ends.has(step.questionId) })),
  };
}
