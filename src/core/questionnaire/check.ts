/**
 * Proves a questionnaire sound before it is published, or reports findings (decisions/010). A finding's path is real:
 * `replayAnswers(path)` in the finding's context leads to the question with the fault. Each group of checks has its own file in `check/`.
 */
import { audienceOf } from "./check/audience.ts";
import { checkAuthoring } from "./check/authoring.ts";
import { type Finding, reporter } from "./check/findings.ts";
import { checkHeadings } from "./check/headings.ts";
import { checkIds, checkLinks } from "./check/links.ts";
import { checkNeeds, needsOf } from "./check/needs.ts";
import { checkProgress } from "./check/progress.ts";
import { checkRules } from "./check/rules.ts";
import { checkSpecialQuestions, programViewsOf } from "./check/specialQuestions.ts";
import { type Statistics, statisticsOf } from "./check/statistics.ts";
import type { Surroundings } from "./check/surroundings.ts";
import { checkOptions, checkPayment, checkReached } from "./check/ways.ts";
import { compile } from "./compile.ts";
import type { Questionnaire } from "./definition.ts";
import { explore, rulesOf, type Situation } from "./explore.ts";

export type { AuthoringRules } from "./check/authoring.ts";
export { checkContents, sharesProof } from "./check/contents.ts";
export { type Finding, type FindingKind, findingKinds } from "./check/findings.ts";
export { presentFindings, formatFinding } from "./check/present.ts";
export type { Statistics } from "./check/statistics.ts";
export type { Need, Surroundings } from "./check/surroundings.ts";

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly statistics: Statistics | null;
}

/** The recommended maximum number of screens. */
const maxScreens = 60;

/**
 * The findings in one version and locale about paths, rules, engine errors, required data and progress. `checkContents` checks texts and
 * pictures.
 */
export function check(definition: Questionnaire, surroundings: Surroundings = {}, limit?: number): CheckResult {
  const report = reporter();
  const compiled = compile(definition);
  checkIds(compiled, report);
  checkLinks(compiled, surroundings.blockSchema, report);
  checkAuthoring(compiled, surroundings.authoring, report);
  checkSpecialQuestions(compiled, report);
  if (compiled.nodes[definition.initialQuestion] === undefined) return { findings: report.findings(), statistics: null };

  const programViews = programViewsOf(compiled);
  const needs = needsOf(definition, surroundings, report);
  const targetLevelAt = new Set([...needs].filter(([, all]) => all.some(({ need }) => need === "targetLevel")).map(([{ id }]) => id));
  const exploration = explore(definition, { requiresConsent: surroundings.requiresConsent, landmarks: programViews, targetLevelAt, limit });
  if (!exploration.complete) report.fault("tooLarge", "There are too many paths to explore them all; nothing is proved.");

  const firstAt = new Map<number, Situation>();
  for (const situation of exploration.situations)
    if (!firstAt.has(situation.state.currentQuestionId)) firstAt.set(situation.state.currentQuestionId, situation);
  checkReached(exploration, firstAt, report);
  checkPayment(exploration, programViews, report);
  checkOptions(exploration, programViews, report);
  checkRules(exploration, firstAt, report);
  checkNeeds(exploration, needs, report);
  if (surroundings.isHeading !== undefined) checkHeadings(exploration, surroundings.isHeading, report);
  checkProgress(exploration, firstAt, report);
  const statistics = statisticsOf(exploration);
  if (statistics.screens > maxScreens) report.note("manyScreens", `${statistics.screens} screens are more than ${maxScreens}.`);
  const named = new Set(rulesOf(definition).flatMap(({ countryIs = [], countryIsNot = [] }) => [countryIs, countryIsNot].flat()));
  return { findings: report.findings((found) => audienceOf(found, exploration.contexts, named)), statistics };
}
