/** Conventions for authors, such as id ranges and length. The engine does not depend on them. */
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
  readonly screens: Readonly<Record<Questionnaire["userLevelAlgorithm"], { readonly least: number; readonly most: number }>>;
  readonly leastBranches: number;
}

export function checkAuthoring({ definition }: CompiledQuestionnaire, rules: AuthoringRules | undefined, report: Reporter): void {
  if (rules === undefined) return;
  const { questions, userLevelAlgorithm } = definition;
  for (const [index, { id, type, contents }] of questions.entries()) {
    const place = { question: id };
    const before = questions[index - 1];
    if (before !== undefined && before.id > id)
      report.fault("authoring", `Question ${id} stands after question ${before.id}: ids ascend.`, place);
    for (const { kind, types, blocks, first, last } of rules.idRanges) {
      const belongs = types?.includes(type) === true || contents.some((item) => blocks?.includes(item.type) === true);
      if (belongs && (id < first || id > last))
        report.fault("authoring", `Question ${id} is one of ${kind}, whose ids are ${first} to ${last}.`, place);
    }
  }
  const { least, most } = rules.screens[userLevelAlgorithm];
  if (questions.length < least || questions.length > most)
    report.fault(
      "authoring",
      `There are ${questions.length} questions; with the level by ${userLevelAlgorithm} it is ${least} to ${most}.`,
    );
  const branches = branchingQuestions(definition).length;
  if (branches < rules.leastBranches)
    report.fault("authoring", `Only ${branches} of ${rules.leastBranches} questions lead to more than one other.`);
}

/** Ids of questions, level questions aside, whose answers lead to more than one next question. */
export function branchingQuestions({ questions }: Questionnaire): readonly number[] {
  const targets = ({ options, followUps = [] }: Question) =>
    new Set([...options, ...followUps].flatMap(({ followUpQuestion }) => followUpQuestion ?? []));
  return questions.filter((question) => question.type !== "LevelQuestion" && targets(question).size > 1).map(({ id }) => id);
}
