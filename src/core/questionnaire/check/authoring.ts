/** Conventions for authors: id ranges, length and branches. The engine does not depend on them. */
import type { CompiledQuestionnaire } from "../compile.ts";
import type { Question, Questionnaire } from "../definition.ts";
import type { Reporter } from "./findings.ts";

export interface AuthoringRules {
  /** Id ranges reserved for kinds of question. A kind is recognized by the question's type or by a block in it. */
  readonly idRanges: readonly {
    readonly kind: string;
    readonly types?: readonly Question["type"][];
    readonly blocks?: readonly string[];
    readonly first: number;
    readonly last: number;
  }[];
  readonly screens: Readonly<Record<Questionnaire["userLevelAlgorithm"], { readonly min: number; readonly max: number }>>;
  readonly minBranches: number;
}

export function checkAuthoring({ definition }: CompiledQuestionnaire, rules: AuthoringRules | undefined, report: Reporter): void {
  if (rules === undefined) return;
  const { questions, userLevelAlgorithm } = definition;
  for (const [index, { id, type, contents }] of questions.entries()) {
    const place = { question: id };
    const before = questions[index - 1];
    if (before !== undefined && before.id > id)
      report.fault("authoring", `Question ${id} comes after question ${before.id}: ids must ascend.`, place);
    for (const { kind, types, blocks, first, last } of rules.idRanges) {
      const belongs = types?.includes(type) === true || contents.some((item) => blocks?.includes(item.type) === true);
      if (belongs && (id < first || id > last))
        report.fault("authoring", `Question ${id} is one of ${kind}, whose ids are ${first} to ${last}.`, place);
    }
  }
  const { min, max } = rules.screens[userLevelAlgorithm];
  if (questions.length < min || questions.length > max)
    report.fault(
      "authoring",
      `There are ${questions.length} questions; with the algorithm ${userLevelAlgorithm} there are ${min} to ${max}.`,
    );
  const branches = branchingQuestions(definition).length;
  if (branches < rules.minBranches)
    report.fault("authoring", `Only ${branches} questions lead to more than one other; at least ${rules.minBranches} are required.`);
}

/** Ids of questions with more than one possible next question, without level questions. */
export function branchingQuestions({ questions }: Questionnaire): readonly number[] {
  const targets = ({ options, followUps = [] }: Question) =>
    new Set([...options, ...followUps].flatMap(({ followUpQuestion }) => followUpQuestion ?? []));
  return questions.filter((question) => question.type !== "LevelQuestion" && targets(question).size > 1).map(({ id }) => id);
}
