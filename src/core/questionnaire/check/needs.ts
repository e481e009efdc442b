/** Checks that a page only uses data about the visitor that is already known. */
import type { CompiledQuestionnaire } from "../compile.ts";
import type { Context } from "../context.ts";
import type { Question, Questionnaire } from "../definition.ts";
import { type Exploration, isLevelKnown } from "../explore.ts";
import { targetLevel, userLevel } from "../level.ts";
import { placeholders } from "../placeholders.ts";
import { visibleContents, visibleOptions } from "../requirements.ts";
import type { State } from "../state.ts";
import { at, type Reporter } from "./findings.ts";
import { placeholdersIn } from "./placeholdersIn.ts";
import type { Need, Surroundings } from "./surroundings.ts";

interface Needed {
  readonly need: Need;
  readonly by: string;
  /** The block or option that needs it; undefined for the question's own texts. */
  readonly part: object | undefined;
}

export function needsOf(
  definition: Questionnaire,
  { blockNeeds, blockPlaceholders }: Surroundings,
  report: Reporter,
): ReadonlyMap<Question, readonly Needed[]> {
  const fromTexts = (
    question: Question,
    what: string,
    texts: unknown,
    part: object | undefined,
    own: readonly string[] = [],
  ): readonly Needed[] =>
    [...placeholdersIn(texts)].flatMap((name): readonly Needed[] => {
      if (own.includes(name)) return [];
      const known = Object.entries(placeholders).find(([placeholder]) => placeholder === name)?.[1];
      if (known === undefined)
        report.fault("unknownPlaceholder", `${what} says {${name}}, which nothing fills.`, { question: question.id });
      return known === undefined || known.needs === "always" ? [] : [{ need: known.needs, by: `${what} says {${name}}`, part }];
    });
  return new Map(
    definition.questions.map((question) => {
      const { contents, options, followUps: _, ...own } = question;
      return [
        question,
        [
          ...fromTexts(question, `Question ${question.id}`, own, undefined),
          ...contents.flatMap((item): readonly Needed[] => {
            const what = `Block ${item.type} of question ${question.id}`;
            const lent =
              item.type === "studySchedule"
                ? definition.schedules
                : item.type === "price" || item.type === "payment"
                  ? definition.productConfigurations
                  : [];
            return [
              ...(blockNeeds?.(item) ?? []).map((need): Needed => ({ need, by: what, part: item })),
              ...fromTexts(question, what, [item, lent], item, blockPlaceholders?.(item)),
            ];
          }),
          ...options.flatMap((option) => fromTexts(question, `Option ${option.id} of question ${question.id}`, option, option)),
        ],
      ];
    }),
  );
}

export function checkNeeds({ compiled, situations }: Exploration, needs: ReadonlyMap<Question, readonly Needed[]>, report: Reporter): void {
  for (const situation of situations) {
    const { node, state, ready, context } = situation;
    const { question } = node;
    const needed = needs.get(question);
    if (needed === undefined) continue;
    // Checks the page on arrival, and again after each choice that it asks for: what shows only after a choice may use that choice.
    for (const seen of new Set([state, ...ready])) {
      const unknown = new Set(needed.map((each) => each.need).filter((need) => !isKnown(compiled, need, seen, context)));
      if (unknown.size === 0) continue;
      const shown = new Set<object>([
        ...visibleContents(compiled, question, seen, context),
        ...visibleOptions(compiled, question, seen, context),
      ]);
      for (const { need, by, part } of needed) {
        if (!unknown.has(need) || (part !== undefined && !shown.has(part))) continue;
        report.fault("unbound", `${by}: ${wordsFor[need]} may not be known yet.`, {
          ...at(situation, question.id, seen),
          joins: { topic: `${wordsFor[need].replace("the", "The")} may not be known yet`, what: by },
        });
      }
    }
  }
}

const wordsFor: Readonly<Record<Need, string>> = {
  schedule: "the study schedule",
  days: "the days",
  firstname: "the first name",
  email: "the e-mail address",
  signup: "the account",
  level: "the level",
  targetLevel: "the target level",
  product: "the product",
};

function isKnown(compiled: CompiledQuestionnaire, need: Need, state: State, context: Context): boolean {
  switch (need) {
    case "schedule":
      return state.schedule !== undefined;
    case "days":
      return state.days.length > 0;
    case "firstname":
    case "email":
      return state.user[need] !== undefined;
    // Products are requested with the account's token, so an account implies a product.
    case "signup":
    case "product":
      return state.signupDone;
    case "level":
    case "targetLevel":
      return isLevelKnown(() => (need === "level" ? userLevel(compiled, state) : targetLevel(compiled, state, context)));
  }
}
