/** Checks the questions that the engine finds by type or number (spec 001 §9). */
import type { CompiledQuestionnaire } from "../compile.ts";
import type { ContentItem, Question } from "../definition.ts";
import type { Reporter } from "./findings.ts";

export function checkSpecialQuestions(compiled: CompiledQuestionnaire, report: Reporter): void {
  const { definition, firstOfType, nodes } = compiled;
  if (nodes[definition.initialQuestion] === undefined)
    report.fault("noInitialQuestion", `The initial question ${definition.initialQuestion} does not exist.`);
  const { embeddedQuestion } = definition;
  if ((nodes[embeddedQuestion]?.question.options.length ?? 0) === 0)
    report.fault(
      "noEmbeddedQuestion",
      `Question ${embeddedQuestion}, which is embedded on the home page, does not exist or has no options.`,
    );
  if (definition.userLevelAlgorithm === "InitialLevel" && firstOfType.InitialLevelView === undefined)
    report.fault("noInitialLevelView", "The level comes from an InitialLevelView, and there is none.");
  if (firstOfType.PreparingProgram === undefined) report.fault("noPreparingProgram", "There is no PreparingProgram question.");
  if (programViewsOf(compiled).size === 0)
    report.fault("noThankYouView", "Neither a ThankYouView nor a PreparingProgram leads to a program view.");
  if (nodes[definition.progress.end] === undefined)
    report.fault("noProgressEnd", `Progress ends at question ${definition.progress.end}, which does not exist.`);
  if (!definition.questions.some(holdsPayment)) report.fault("noPayment", "No question holds a payment block.");
  const asksPassword = ({ type, contents }: Question) => type === "SignupView" && contents.some((item) => item.type === "signupPassword");
  if (!definition.questions.some(asksPassword)) report.fault("noSignup", "No SignupView holds a signupPassword block.");
  if (definition.userLevelAlgorithm !== "LevelQuestion") return;
  for (const { id, type } of definition.questions) {
    if (type !== "LevelQuestion") continue;
    const levels = definition.userLevelMappings.filter((mapping) => mapping.first <= id && id <= mapping.last).length;
    const place = (topic: string) => ({ question: id, joins: { topic, what: `level question ${id}` } });
    if (levels === 0) report.fault("unmappedLevel", `Level question ${id} is mapped to no level.`, place("No level is mapped to"));
    if (levels > 1)
      report.fault("overlappingLevels", `Level question ${id} is mapped to ${levels} levels.`, place(`${levels} levels are mapped to`));
  }
}

export function isPayment({ type }: ContentItem): boolean {
  return type === "payment" || type === "paddle";
}

export function holdsPayment(question: Question): boolean {
  return question.contents.some(isPayment);
}

/** Ids of all questions that can be the final program view. */
export function programViewsOf({ firstOfType, nodes }: CompiledQuestionnaire): ReadonlySet<number> {
  for (const view of [firstOfType.ThankYouView, firstOfType.PreparingProgram]) {
    const ids = [
      ...(view?.followUps ?? []).map((followUp) => followUp.followUpQuestion),
      view?.options.findLast((option) => option.followUpQuestion !== undefined)?.followUpQuestion,
    ].flatMap((id) => (id !== undefined && nodes[id] !== undefined ? [id] : []));
    if (ids.length > 0) return new Set(ids);
  }
  return new Set();
}
