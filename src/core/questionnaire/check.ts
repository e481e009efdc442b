/**
 * Proves a questionnaire sound before it is published, or shows a path on which it is not (decisions/010). A finding's
 * path is a real one: `replayAnswers(path)` in the finding's context leads to the question it speaks of.
 */
import { type Locale, locales } from "../locales.ts";
import { encodeAnswers } from "./answer-code.ts";
import type { CompiledQuestionnaire } from "./compile.ts";
import { compile } from "./compile.ts";
import type { Context } from "./context.ts";
import type { ContentItem, Question, Questionnaire, Rule, RuleGroup } from "./definition.ts";
import { embeddedQuestion, finalProgramView, levelRuleOf } from "./next.ts";
import { QuestionnaireError } from "./error.ts";
import { explore, type Exploration, rulesIn, type Situation, type Visitor, visitorOf } from "./explore.ts";
import { targetLevel, userLevel } from "./level.ts";
import { placeholders } from "./placeholders.ts";
import { progressPercent } from "./progress.ts";
import { holds, visibleContents, visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";

export type Need = "schedule" | "days" | "firstname" | "email" | "signup" | "level" | "targetLevel" | "product";

/** What the checker cannot import: it comes from the blocks, the texts, the media and the catalogue. A missing check is not made. */
export interface Surroundings {
  /** What a block reads of the visitor. */
  readonly blockNeeds?: (content: ContentItem) => readonly Need[];
  /** Placeholders that a block fills itself. */
  readonly blockPlaceholders?: (content: ContentItem) => readonly string[];
  readonly isHeading?: (content: ContentItem) => boolean;
  readonly requiresConsent?: (country: string) => boolean;
  readonly hasPicture?: (name: string, locale: Locale) => boolean;
  readonly hasVideo?: (filename: string, extension: string, locale: Locale) => boolean;
  readonly hasProduct?: (productType: string, productPlan: string, currency: string | undefined) => boolean;
  readonly hasCoupon?: (code: string) => boolean;
}

export const findingKinds = [
  // 1: the way
  "unreachable",
  "deadEnd",
  "trapped",
  "paymentBeforeSignup",
  "paymentBeforeProgramView",
  "noPayment",
  "noSignup",
  // 2: rules
  "neverHolds",
  "deadRule",
  "shadowed",
  "levelRuleNeverFires",
  "ignoredOption",
  "noHistory",
  // 3: the specification's errors
  "noInitialQuestion",
  "noEmbeddedQuestion",
  "noInitialLevelView",
  "noPreparingProgram",
  "noThankYouView",
  "noUserLevelOption",
  "noTargetLevelOption",
  "noFollowUpId",
  "unknownQuestion",
  "unmappedLevel",
  "duplicateId",
  // 4: what must be known
  "unbound",
  "unknownPlaceholder",
  "notOneHeading",
  // 5: what must exist
  "emptyText",
  "differentPlaceholders",
  "differentStructure",
  "missingLocale",
  "missingPicture",
  "missingVideo",
  "missingProduct",
  "missingCoupon",
  // 6: progress
  "progressStepsBack",
  "noProgressEnd",
  "manyScreens",
  "tooLarge",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** A note is worth knowing and no fault. */
  readonly severity: "fault" | "note";
  readonly message: string;
  readonly question?: number | undefined;
  /** The counter-example: answers to replay, and for whom. Absent where nothing leads there. */
  readonly path?: string | undefined;
  readonly context?: Context | undefined;
  /** Whose path it is (`startsOf`). */
  readonly visitor?: Visitor | undefined;
}

interface Statistics {
  readonly screens: number;
  /** Questions other than level questions that lead to more than one other. */
  readonly branches: number;
  /** Screens from the first to the end of progress. */
  readonly shortest: number;
  readonly longest: number;
  /** When every option is as likely as the others. */
  readonly expected: number;
  readonly situations: number;
  readonly contexts: number;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly statistics: Statistics | null;
}

/** The funnel's pages after the purchase are addressed by routes, not by follow-ups; 999 stands in link templates (spec 001 §9). */
const firstRoutedQuestion = 999;
const paymentBlocks: readonly string[] = ["payment", "paddle"];
const noticeablePercent = 0.5;
/** What a visitor can be asked to walk through. */
const mostScreens = 60;

/** Findings in one version and locale: of its ways, rules, errors, needs and progress; `checkContents` sees to what stands in it. */
export function check(definition: Questionnaire, surroundings: Surroundings = {}): CheckResult {
  const report = reporter();
  const compiled = compile(definition);
  checkIds(compiled, report);
  checkSpecialQuestions(compiled, report);
  if (compiled.nodes[definition.initialQuestion] === undefined) return { findings: report.findings(), statistics: null };

  const programViews = programViewsOf(compiled);
  const needs = needsOf(definition, surroundings, report);
  const targetLevelAt = new Set(
    definition.questions
      .filter((question) => needs.get(question)?.some((each) => each.need === "targetLevel") === true)
      .map((question) => question.id),
  );
  const exploration = explore(definition, { requiresConsent: surroundings.requiresConsent, landmarks: programViews, targetLevelAt });
  if (!exploration.complete)
    report.fault("tooLarge", "The rules tell so many visitors apart that not all of their ways could be looked at; nothing is proved.");

  const firstAt = new Map<number, Situation>();
  for (const situation of exploration.situations)
    if (!firstAt.has(situation.state.currentQuestionId)) firstAt.set(situation.state.currentQuestionId, situation);
  checkWays(exploration, firstAt, programViews, report);
  checkRules(exploration, firstAt, report);
  checkNeeds(exploration, needs, report);
  if (surroundings.isHeading !== undefined) checkHeadings(exploration, surroundings.isHeading, report);
  checkProgress(exploration, report);
  const statistics = statisticsOf(exploration);
  if (statistics.screens > mostScreens) report.note("manyScreens", `${statistics.screens} screens are more than ${mostScreens}.`);
  return { findings: report.findings(), statistics };
}

// ---------------------------------------------------------------------------------------------- reporting

interface Place {
  readonly question?: number | undefined;
  readonly state?: State | undefined;
  readonly context?: Context | undefined;
}
type Reporter = ReturnType<typeof reporter>;

/** Collects findings; the same words about the same place count once, with the first (shortest) path. */
function reporter() {
  const found = new Map<string, Finding>();
  const add = (severity: Finding["severity"], kind: FindingKind, message: string, { question, state, context }: Place = {}) => {
    const key = `${kind} ${question} ${message}`;
    if (!found.has(key))
      found.set(key, {
        kind,
        severity,
        message,
        question,
        ...(state === undefined ? {} : { path: encodeAnswers(state), context, visitor: visitorOf(state) }),
      });
  };
  return {
    fault: (kind: FindingKind, message: string, place?: Place) => add("fault", kind, message, place),
    note: (kind: FindingKind, message: string, place?: Place) => add("note", kind, message, place),
    findings: (): readonly Finding[] => [...found.values()],
  };
}

function at(situation: Situation | undefined, question: number, state = situation?.state): Place {
  return { question, state, context: situation?.context };
}

// ---------------------------------------------------------------------------------------------- what stands in the definition

function checkIds({ definition, nodes }: CompiledQuestionnaire, report: Reporter): void {
  const twice = (ids: readonly number[]) => ids.filter((id, index) => ids.indexOf(id) !== index);
  for (const id of twice(definition.questions.map((question) => question.id)))
    report.fault("duplicateId", `Two questions have the id ${id}.`, { question: id });
  for (const id of twice(definition.schedules.map((schedule) => schedule.id)))
    report.fault("duplicateId", `Two study schedules have the id ${id}.`);
  for (const question of definition.questions)
    for (const id of twice(question.options.map((option) => option.id)))
      report.fault("duplicateId", `Question ${question.id} has two options with the id ${id}.`, { question: question.id });

  const links: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ...definition.questions.flatMap((question) => [
      ...question.options.map(
        (option) => [`Option ${option.id} of question ${question.id}`, option.followUpQuestion, question.id] as const,
      ),
      ...(question.followUps ?? []).map(
        (followUp, index) => [`Follow-up ${index + 1} of question ${question.id}`, followUp.followUpQuestion, question.id] as const,
      ),
    ]),
    ...definition.schedules.map((schedule) => [`Study schedule ${schedule.id}`, schedule.followUpQuestion, undefined] as const),
    ["The shortcut", definition.shortcutQuestion, undefined],
    ...(definition.questions.some((question) => question.type === "LevelQuestion")
      ? [
          ...definition.levelQuestionRules.map(
            (rule) => [`The level rule of ${rule.no} No and ${rule.maybe} Maybe`, rule.followUpQuestion, undefined] as const,
          ),
          ["The last level question", definition.lastLevelQuestionFollowUpQuestion, undefined] as const,
        ]
      : []),
  ];
  for (const [what, id, question] of links)
    if (id !== undefined && nodes[id] === undefined)
      report.fault("unknownQuestion", `${what} leads to question ${id}, which does not exist.`, { question });
}

function checkSpecialQuestions(compiled: CompiledQuestionnaire, report: Reporter): void {
  const { definition, firstOfType, nodes } = compiled;
  if (nodes[definition.initialQuestion] === undefined)
    report.fault("noInitialQuestion", `The initial question ${definition.initialQuestion} does not exist.`);
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
  if (
    !definition.questions.some(
      (question) => question.type === "SignupView" && question.contents.some((item) => item.type === "signupPassword"),
    )
  )
    report.fault("noSignup", "No SignupView holds a signupPassword block.");
  if (definition.userLevelAlgorithm === "LevelQuestion") {
    for (const { id, type } of definition.questions) {
      if (type !== "LevelQuestion") continue;
      const levels = definition.userLevelMappings.filter((mapping) => mapping.first <= id && id <= mapping.last).length;
      if (levels !== 1)
        report.fault(
          "unmappedLevel",
          levels === 0 ? `Level question ${id} stands for no level.` : `Level question ${id} stands for ${levels} levels.`,
          { question: id },
        );
    }
  }
}

function holdsPayment(question: Question): boolean {
  return question.contents.some((item) => paymentBlocks.includes(item.type));
}

/** Every question that can be the final program view. */
function programViewsOf({ firstOfType, nodes }: CompiledQuestionnaire): ReadonlySet<number> {
  for (const view of [firstOfType.ThankYouView, firstOfType.PreparingProgram]) {
    const ids = [
      ...(view?.followUps ?? []).map((followUp) => followUp.followUpQuestion),
      view?.options.findLast((option) => option.followUpQuestion !== undefined)?.followUpQuestion,
    ].filter((id) => id !== undefined && nodes[id] !== undefined);
    if (ids.length > 0) return new Set(ids.filter((id) => id !== undefined));
  }
  return new Set();
}

// ---------------------------------------------------------------------------------------------- 1 and 3: the ways

function checkWays(
  { compiled, situations }: Exploration,
  firstAt: ReadonlyMap<number, Situation>,
  programViews: ReadonlySet<number>,
  report: Reporter,
): void {
  const { definition } = compiled;
  for (const { id } of definition.questions) {
    if (firstAt.has(id) || id >= firstRoutedQuestion) continue;
    const from = definition.questions
      .filter((question) => compiled.nodes[question.id]?.successors.includes(id) === true)
      .map((question) => question.id);
    report.fault(
      "unreachable",
      from.length === 0
        ? `Nothing leads to question ${id}.`
        : `Question ${id} is never reached: what could lead there from ${from.join(", ")} never does.`,
      { question: id },
    );
  }
  if (compiled.nodes[definition.progress.end] !== undefined && !firstAt.has(definition.progress.end))
    report.fault("noProgressEnd", `Progress ends at question ${definition.progress.end}, which is never reached.`);

  const pays = (situation: Situation) => {
    const question = compiled.question(situation.state.currentQuestionId);
    return (
      question !== undefined &&
      situation.ready.some((state) =>
        visibleContents(compiled, question, state, situation.context).some((item) => paymentBlocks.includes(item.type)),
      )
    );
  };
  const paying = situations.map(pays);
  const canPay = backwardsFrom(situations, paying);

  situations.forEach((situation, index) => {
    const { state, ways, context } = situation;
    const id = state.currentQuestionId;
    if (ways.length === 0 && paying[index] !== true)
      report.fault("deadEnd", `Question ${id} cannot be left: no option shows.`, at(situation, id));
    else if (canPay[index] !== true && !goesOn(situation) && definition.questions.some(holdsPayment))
      report.fault("trapped", `From question ${id} no way leads to the payment any more.`, at(situation, id));
    if (paying[index] === true) {
      if (!state.signupDone)
        report.fault("paymentBeforeSignup", `Question ${id} asks for payment before the visitor has signed up.`, at(situation, id));
      if (!programViews.has(id) && !state.visitedQuestionIds.some((visited) => programViews.has(visited)))
        report.fault(
          "paymentBeforeProgramView",
          `Question ${id} asks for payment before the program view (${[...programViews].join(", ")}).`,
          at(situation, id),
        );
    }
    for (const { option, before, error, recorded } of ways) {
      const place = at(situation, id, before);
      if (error !== undefined)
        report.fault(kindOfReason[error.reason] ?? "noFollowUpId", `Question ${id}, option ${option.id}: ${error.message}`, place);
      const forward = option.type !== "ToPrevious" && option.type !== "ToHomePage";
      if (
        forward &&
        definition.userLevelAlgorithm === "InitialLevel" &&
        compiled.firstOfType.InitialLevelView?.id === id &&
        option.meta?.userLevel === undefined
      )
        report.fault("noUserLevelOption", `Option ${option.id} of the InitialLevelView ${id} carries no userLevel.`, place);
      if (forward && compiled.firstOfType.TargetLevelView?.id === id && option.meta?.targetLevel === undefined)
        report.fault("noTargetLevelOption", `Option ${option.id} of the TargetLevelView ${id} carries no targetLevel.`, place);
      if (forward && programViews.size > 0 && compiled.firstOfType.ThankYouView?.id === id) {
        try {
          finalProgramView(compiled, recorded, context);
        } catch (thrown) {
          if (!(thrown instanceof QuestionnaireError)) throw thrown;
          report.fault("noThankYouView", `After question ${id}: ${thrown.message}`, place);
        }
      }
    }
  });
}

const kindOfReason: Readonly<Partial<Record<string, FindingKind>>> = {
  noFollowUpId: "noFollowUpId",
  noHistory: "noHistory",
  unknownQuestion: "unknownQuestion",
};

/** Whether a way leads to a question that is new to the visitor: a trap is told of where it ends, not where it begins. Faults count as ways, they are told of themselves. */
function goesOn({ state, ways }: Situation): boolean {
  return ways.some(
    ({ next, option, error }) =>
      error !== undefined ||
      (typeof next === "number" &&
        option.type !== "ToPrevious" &&
        next !== state.currentQuestionId &&
        !state.visitedQuestionIds.includes(next)),
  );
}

/** Which situations can come to one of the marked ones. */
function backwardsFrom(situations: readonly Situation[], marked: readonly boolean[]): readonly boolean[] {
  const before = new Map<number, number[]>();
  situations.forEach((situation, from) => {
    for (const { to } of situation.ways) {
      const list = before.get(to);
      if (list === undefined) before.set(to, [from]);
      else list.push(from);
    }
  });
  const can = [...marked];
  const open = marked.flatMap((mark, index) => (mark ? [index] : []));
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const from of before.get(index) ?? []) {
      if (can[from] === true) continue;
      can[from] = true;
      open.push(from);
    }
  }
  return can;
}

// ---------------------------------------------------------------------------------------------- 2: the rules

function checkRules({ compiled, situations }: Exploration, firstAt: ReadonlyMap<number, Situation>, report: Reporter): void {
  const { definition } = compiled;
  const held = new Set<RuleGroup | Rule>();
  const chosen = new Set<object>();
  const fired = new Set<object>();
  const see = (group: RuleGroup | undefined, state: State, context: Context) => {
    if (group === undefined) return;
    if (holds(compiled, group, state, context)) held.add(group);
    for (const rule of group.rules) {
      if ("rules" in rule) see(rule, state, context);
      else if (!held.has(rule) && holds(compiled, { rules: [rule] }, state, context)) held.add(rule);
    }
  };
  for (const { state, ready, ways, context } of situations) {
    const node = compiled.nodes[state.currentQuestionId];
    if (node === undefined) continue;
    const { question } = node;
    for (const each of new Set([state, ...ready]))
      for (const { requirements } of [...question.contents, ...question.options]) see(requirements, each, context);
    for (const { option, recorded } of ways) {
      if (node.isLastLevel) continue;
      const rule = node.isLevel && option.type === "No" ? levelRuleOf(compiled, recorded) : undefined;
      if (rule !== undefined) fired.add(rule);
      if (rule !== undefined || option.type === "ToHomePage" || option.type === "ToPrevious") continue;
      for (const followUp of question.followUps ?? []) see(followUp.requirements, recorded, context);
      const winner = question.followUps?.find((followUp) => holds(compiled, followUp.requirements, recorded, context));
      if (winner !== undefined) chosen.add(winner);
    }
  }

  for (const question of definition.questions) {
    const situation = firstAt.get(question.id);
    if (situation === undefined) continue;
    const node = compiled.nodes[question.id];
    const place = at(situation, question.id);
    const things = [
      ...question.contents.map(
        (item, index) => [`Block ${index + 1} (${item.type}) of question ${question.id}`, item.requirements] as const,
      ),
      ...question.options.map((option) => [`Option ${option.id} of question ${question.id}`, option.requirements] as const),
    ];
    for (const [what, group] of things) reportRules(compiled, what, "shows", group, held, report, place);
    for (const [index, followUp] of (question.followUps ?? []).entries()) {
      const what = `Follow-up ${index + 1} of question ${question.id} (to ${followUp.followUpQuestion})`;
      if (node?.isLastLevel === true)
        report.fault(
          "shadowed",
          `${what} is never taken: the last level question always leads to ${definition.lastLevelQuestionFollowUpQuestion}.`,
          place,
        );
      else if (followUp.requirements !== undefined && followUp.requirements.rules.length > 0 && !held.has(followUp.requirements))
        reportRules(compiled, what, "is taken", followUp.requirements, held, report, place);
      else if (!chosen.has(followUp)) report.fault("shadowed", `${what} is never taken: whenever it could be, an earlier one is.`, place);
      else reportRules(compiled, what, "is taken", followUp.requirements, held, report, place);
    }
    for (const option of question.options) {
      const what = `Option ${option.id} of question ${question.id}`;
      if (node?.isLastLevel === true && (option.type === "ToHomePage" || option.type === "ToPrevious"))
        report.fault(
          "ignoredOption",
          `${what} cannot do what its type says: the last level question always leads to ${definition.lastLevelQuestionFollowUpQuestion}.`,
          place,
        );
      if (
        node?.isLastLevel === true &&
        option.followUpQuestion !== undefined &&
        option.followUpQuestion !== definition.lastLevelQuestionFollowUpQuestion
      )
        report.fault(
          "ignoredOption",
          `${what} names question ${option.followUpQuestion}, but the last level question always leads to ${definition.lastLevelQuestionFollowUpQuestion}.`,
          place,
        );
    }
  }
  const asksLevels = definition.questions.some(
    (question) => compiled.nodes[question.id]?.isLevel === true && question.options.some((option) => option.type === "No"),
  );
  if (asksLevels)
    for (const rule of definition.levelQuestionRules)
      if (!fired.has(rule)) report.fault("levelRuleNeverFires", `The level rule of ${rule.no} No and ${rule.maybe} Maybe never applies.`);
}

function reportRules(
  compiled: CompiledQuestionnaire,
  what: string,
  verb: string,
  group: RuleGroup | undefined,
  held: ReadonlySet<RuleGroup | Rule>,
  report: Reporter,
  place: Place,
): void {
  if (group === undefined || group.rules.length === 0) return;
  if (!held.has(group)) {
    const reasons = rulesIn(group).flatMap((rule) => whyNever(compiled, rule));
    report.fault(
      "neverHolds",
      `${what} never ${verb}: its requirements never hold${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}.`,
      place,
    );
    return;
  }
  // A run of "last level question is 41, or 42, or 43" names a range; that nobody can stop at its edge is no mistake.
  const ranged = rulesIn(group).some((rule) => isRangeMember(rule) && held.has(rule));
  for (const rule of rulesIn(group)) {
    if (held.has(rule) || (ranged && isRangeMember(rule) && whyNever(compiled, rule).length === 0)) continue;
    report.fault(
      "deadRule",
      `${what} has a rule that never holds: ${JSON.stringify(rule)}${whyNever(compiled, rule)
        .map((reason) => ` (${reason})`)
        .join("")}.`,
      place,
    );
  }
}

function isRangeMember(rule: Rule): boolean {
  return rule.lastLevelQuestion !== undefined && Object.keys(rule).length === 1;
}

function whyNever({ definition, nodes }: CompiledQuestionnaire, rule: Rule): readonly string[] {
  const asked = rule.questionId === undefined ? undefined : nodes[rule.questionId]?.question;
  return [
    ...(rule.questionId !== undefined && asked === undefined ? [`there is no question ${rule.questionId}`] : []),
    ...(asked !== undefined && rule.optionId !== undefined && !asked.options.some((option) => option.id === rule.optionId)
      ? [`question ${asked.id} has no option ${rule.optionId}`]
      : []),
    ...(rule.schedule !== undefined && !definition.schedules.some((schedule) => schedule.id === rule.schedule)
      ? [`there is no study schedule ${rule.schedule}`]
      : []),
    ...(rule.lastLevelQuestion !== undefined && nodes[rule.lastLevelQuestion]?.isLevel !== true
      ? [`question ${rule.lastLevelQuestion} is no level question`]
      : []),
  ];
}

// ---------------------------------------------------------------------------------------------- 4: what must be known

interface Needed {
  readonly need: Need;
  readonly by: string;
  /** The block or option that must show for it; undefined for the question's own texts. */
  readonly part: object | undefined;
}

function needsOf(
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

/** Names of all placeholders in the texts of any data. */
export function placeholdersIn(data: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(data)) {
    const [kind, name] = data;
    if ((kind === "arg" || kind === "plural" || kind === "select") && typeof name === "string" && data.length > 1) found.add(name);
    for (const item of data) placeholdersIn(item, found);
  } else if (typeof data === "object" && data !== null) for (const value of Object.values(data)) placeholdersIn(value, found);
  return found;
}

function checkNeeds({ compiled, situations }: Exploration, needs: ReadonlyMap<Question, readonly Needed[]>, report: Reporter): void {
  for (const situation of situations) {
    const { state, ready, context } = situation;
    const question = compiled.question(state.currentQuestionId);
    const needed = question === undefined ? undefined : needs.get(question);
    if (question === undefined || needed === undefined || needed.length === 0) continue;
    // On arrival and after each choice the page asks for: what shows only then is filled by then.
    for (const seen of new Set([state, ...ready])) {
      const unknown = new Set(needed.map((each) => each.need).filter((need) => !isKnown(compiled, need, seen, context)));
      if (unknown.size === 0) continue;
      const shown = new Set<object>([
        ...visibleContents(compiled, question, seen, context),
        ...visibleOptions(compiled, question, seen, context),
      ]);
      for (const { need, by, part } of needed) {
        if (!unknown.has(need) || (part !== undefined && !shown.has(part))) continue;
        report.fault("unbound", `${by}, but ${wordsFor[need]} may not be known yet.`, at(situation, question.id, seen));
      }
    }
  }
}

/** A question's heading is what a screen reader says first and what the page is called. */
function checkHeadings({ compiled, situations }: Exploration, isHeading: (content: ContentItem) => boolean, report: Reporter): void {
  for (const situation of situations) {
    const { state, ready, context } = situation;
    const question = compiled.question(state.currentQuestionId);
    if (question === undefined) continue;
    for (const seen of new Set([state, ...ready])) {
      const headings = visibleContents(compiled, question, seen, context).filter(isHeading).length;
      if (headings === 1) continue;
      const shown = headings === 0 ? "no heading" : `${headings} headings`;
      report.fault("notOneHeading", `Question ${question.id} shows ${shown}.`, at(situation, question.id, seen));
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
    // What may be bought is asked of the server with the account's token: with the account there is a product.
    case "signup":
    case "product":
      return state.signupDone;
    case "level":
    case "targetLevel":
      try {
        return (need === "level" ? userLevel(compiled, state) : targetLevel(compiled, state, context)) !== null;
      } catch (error) {
        if (error instanceof QuestionnaireError) return false;
        throw error;
      }
  }
}

// ---------------------------------------------------------------------------------------------- 6: progress

function checkProgress({ compiled, situations }: Exploration, report: Reporter): void {
  for (const situation of situations) {
    const id = situation.state.currentQuestionId;
    for (const { next, before, option } of situation.ways) {
      if (
        typeof next !== "number" ||
        option.type === "ToPrevious" ||
        before.visitedQuestionIds.includes(next) ||
        next === id ||
        compiled.nodes[id] === undefined
      )
        continue;
      const back = progressPercent(compiled, id) - progressPercent(compiled, next);
      if (back > noticeablePercent)
        report.note(
          "progressStepsBack",
          `From question ${id} to ${next} progress would step back by ${back.toFixed(1)} percent; the bar holds its place.`,
          at(situation, id, before),
        );
    }
  }
}

// ---------------------------------------------------------------------------------------------- numbers

function statisticsOf({ compiled, situations, contexts }: Exploration): Statistics {
  const { end } = compiled.definition.progress;
  const nextOf = new Map<number, Set<number>>();
  for (const { state, ways } of situations) {
    if (visitorOf(state) !== "new") continue;
    for (const { next, option } of ways) {
      if (typeof next !== "number" || option.type === "ToPrevious") continue;
      nextOf.set(state.currentQuestionId, (nextOf.get(state.currentQuestionId) ?? new Set()).add(next));
    }
  }
  const forward = (index: number) =>
    (situations[index]?.ways ?? []).filter(
      (way) =>
        way.to >= 0 &&
        way.option.type !== "ToPrevious" &&
        way.next !== undefined &&
        !way.before.visitedQuestionIds.some((id) => id === way.next),
    );
  const measured = new Map<number, { shortest: number; longest: number; expected: number }>();
  const none = { shortest: Number.POSITIVE_INFINITY, longest: 0, expected: Number.NaN };
  const measure = (index: number): { shortest: number; longest: number; expected: number } => {
    const known = measured.get(index);
    if (known !== undefined) return known;
    measured.set(index, none);
    const ways =
      situations[index]?.state.currentQuestionId === end
        ? []
        : forward(index)
            .map((way) => measure(way.to))
            .filter((way) => Number.isFinite(way.shortest));
    const arrived = situations[index]?.state.currentQuestionId === end;
    const result = arrived
      ? { shortest: 1, longest: 1, expected: 1 }
      : ways.length === 0
        ? none
        : {
            shortest: 1 + Math.min(...ways.map((way) => way.shortest)),
            longest: 1 + Math.max(...ways.map((way) => way.longest)),
            expected: 1 + ways.reduce((sum, way) => sum + way.expected, 0) / ways.length,
          };
    measured.set(index, result);
    return result;
  };
  const starts = situations.flatMap(({ state }, index) =>
    state.visitedQuestionIds.length === 0 && !state.signupDone && state.currentQuestionId === compiled.definition.initialQuestion
      ? [measure(index)]
      : [],
  );
  return {
    screens: compiled.definition.questions.length,
    branches: [...nextOf].filter(([id, next]) => next.size > 1 && compiled.nodes[id]?.isLevel !== true).length,
    shortest: Math.min(...starts.map((start) => start.shortest)),
    longest: Math.max(...starts.map((start) => start.longest)),
    expected: starts.reduce((sum, start) => sum + start.expected, 0) / starts.length,
    situations: situations.length,
    contexts: contexts.length,
  };
}

// ---------------------------------------------------------------------------------------------- 5: what must exist

/**
 * Findings between the locales of a version and the outside: every locale is there, says something everywhere, uses the
 * same placeholders and the same structure as the first; pictures, videos, products and coupon exist.
 */
export function checkContents(
  definitions: Readonly<Partial<Record<Locale, Questionnaire>>>,
  surroundings: Surroundings = {},
): readonly Finding[] {
  const report = reporter();
  const first = locales.flatMap((locale) => definitions[locale] ?? [])[0];
  if (first === undefined) return [];
  const shape = structureOf(first);
  for (const locale of locales) {
    const definition = definitions[locale];
    if (definition === undefined) {
      report.fault("missingLocale", `There is no ${locale}.`);
      continue;
    }
    if (JSON.stringify(structureOf(definition)) !== JSON.stringify(shape))
      report.fault("differentStructure", `${locale} does not have the same questions, options and rules as the other locales.`);
    for (const where of emptyTextsIn(definition.levels, "levels")) report.fault("emptyText", `${locale}: an empty text (${where}).`);
    for (const name of placeholdersIn(definition.levels))
      report.fault("unknownPlaceholder", `${locale}: a level says {${name}}; levels fill placeholders and have none.`);
    for (const [index, question] of definition.questions.entries()) {
      const place = { question: question.id };
      const other = first.questions[index];
      for (const where of emptyTextsIn(question))
        report.fault("emptyText", `${locale}: question ${question.id} has an empty text (${where}).`, place);
      const ours = factsIn(question);
      const theirs = factsIn(other);
      if (ours !== theirs)
        report.fault(
          "differentPlaceholders",
          `${locale}: question ${question.id} uses ${ours || "no placeholders"}, the other locales ${theirs || "none"}.`,
          place,
        );
    }
    for (const [name, question] of namesIn(definition))
      if (surroundings.hasPicture?.(name, locale) === false)
        report.fault("missingPicture", `${locale}: there is no picture "${name}".`, { question });
    for (const question of definition.questions) {
      for (const { video } of question.contents) {
        if (typeof video !== "object" || video === null || !("filename" in video) || !("extension" in video)) continue;
        if (surroundings.hasVideo?.(String(video.filename), String(video.extension), locale) === false)
          report.fault("missingVideo", `${locale}: there is no video "${String(video.filename)}.${String(video.extension)}".`, {
            question: question.id,
          });
      }
    }
  }
  for (const { productType, productPlan, currency } of first.productConfigurations)
    if (surroundings.hasProduct?.(productType, productPlan, currency) === false)
      report.fault(
        "missingProduct",
        `The catalogue has no ${productType} of ${productPlan}${currency === undefined ? "" : ` in ${currency}`}.`,
      );
  if (first.coupon !== undefined && surroundings.hasCoupon?.(first.coupon.code) === false)
    report.fault("missingCoupon", `There is no coupon ${first.coupon.code}.`);
  return report.findings();
}

/** What the placeholders of a question tell; whether by name, key, sentence or long date is each language's own affair. */
function factsIn(question: unknown): string {
  return [...new Set([...placeholdersIn(question)].map((name) => name.replace(/_(KEY|TEXT|LONG)$/, "")))].toSorted().join(", ");
}

/** Fields that hold a picture's name, wherever they stand. */
const pictureFields: readonly string[] = ["image", "media", "picture", "figure"];

function namesIn(definition: Questionnaire): ReadonlyMap<string, number | undefined> {
  const names = new Map<string, number | undefined>();
  const look = (data: unknown, question: number | undefined) => {
    if (typeof data !== "object" || data === null) return;
    for (const [field, value] of Object.entries(data)) {
      if (pictureFields.includes(field) && typeof value === "string") {
        if (!names.has(value)) names.set(value, question);
      } else look(value, question);
    }
  };
  for (const question of definition.questions) look(question, question.id);
  look(definition.schedules, undefined);
  return names;
}

/** Where a text field is empty: "options.0.description". */
function emptyTextsIn(data: unknown, path = ""): readonly string[] {
  // Right for a picture that only decorates, and for the corner of a table.
  if (/(^|\.)alt$|\.columns\.\d+\.content$/.test(path)) return [];
  if (data === "" || (Array.isArray(data) && data.length === 0 && /(text|description|title|label|content)$/i.test(path))) return [path];
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) => emptyTextsIn(value, path === "" ? field : `${path}.${field}`));
}

/** A definition without its words. */
function structureOf(definition: Questionnaire): unknown {
  return [
    definition.initialQuestion,
    definition.progress,
    definition.schedules.map(({ id, months, practiseDaysPerWeek, minutesPerSession, followUpQuestion }) => [
      id,
      months,
      practiseDaysPerWeek,
      minutesPerSession,
      followUpQuestion,
    ]),
    definition.productConfigurations.map(({ productType, productPlan, currency }) => [productType, productPlan, currency]),
    definition.questions.map(({ id, type, weight, contents, options, followUps }) => [
      id,
      type,
      weight,
      contents.map(({ type: block, requirements }) => [block, requirements]),
      options.map((option) => [option.id, option.type, option.followUpQuestion, option.requirements, option.meta]),
      followUps,
    ]),
  ];
}

/** Whether two locales of a version can share one proof: the same structure and the same placeholders. */
export function sharesProof(one: Questionnaire, other: Questionnaire): boolean {
  const outline = (definition: Questionnaire) =>
    JSON.stringify([
      structureOf(definition),
      definition.questions.map((question) => [...placeholdersIn(question)].toSorted()),
      [...placeholdersIn([definition.schedules, definition.productConfigurations])].toSorted(),
    ]);
  return outline(one) === outline(other);
}
