/**
 * Every situation a visitor can come to, up to what the definition can tell apart (decisions/010). A situation is a class
 * of states that no rule will ever treat differently; it is held by one real state, reached by the engine itself, so every
 * path that is shown can be walked.
 */
import { type CompiledQuestion, type CompiledQuestionnaire, compile } from "./compile.ts";
import type { Context, Platform } from "./context.ts";
import { marketingConsentCountries } from "../countries.ts";
import type { ContentItem, Option, Questionnaire, Rule, RuleGroup } from "./definition.ts";
import { locales } from "../locales.ts";
import { QuestionnaireError } from "./error.ts";
import { targetLevel, userLevel } from "./level.ts";
import { levelCounts } from "./next.ts";
import { lastLevelQuestion, selectedOption, visibleContents, visibleOptions } from "./requirements.ts";
import type { State } from "./state.ts";
import { initialState, step } from "./step.ts";

interface Way {
  readonly option: Option;
  /** Before the answer, with schedule and days chosen where the question asks for them. */
  readonly before: State;
  /** The answer recorded, nothing decided yet: what follow-ups look at. */
  readonly recorded: State;
  /** Where it leads; undefined when the engine has no answer. */
  readonly next: number | "home" | undefined;
  readonly error: QuestionnaireError | undefined;
  /** Index of the situation it leads to; -1 for home and errors. */
  readonly to: number;
}

export interface Situation {
  readonly context: Context;
  /** Of the question, which is the state's `currentQuestionId`. */
  readonly node: CompiledQuestion;
  /** On arrival. */
  readonly state: State;
  /** The same after every possible choice that the question asks for (schedule, days); one entry where it asks for none. */
  readonly ready: readonly State[];
  readonly ways: readonly Way[];
}

export interface Exploration {
  readonly compiled: CompiledQuestionnaire;
  readonly contexts: readonly Context[];
  readonly situations: readonly Situation[];
  /** False when the limit was met: then nothing is proved. */
  readonly complete: boolean;
  /** Whether a state, met on arrival at its question by a visitor of one of the contexts, falls into one of the situations. */
  readonly knows: (state: State, context: Context) => boolean;
}

export interface ExploreOptions {
  /** Whether a country requires marketing consent; without it, both are tried for every country. */
  readonly requiresConsent?: ((country: string) => boolean) | undefined;
  /** Questions whose visit is told apart (the program views). */
  readonly landmarks?: ReadonlySet<number> | undefined;
  /** Questions whose texts or blocks need the target level. */
  readonly targetLevelAt?: ReadonlySet<number> | undefined;
  readonly limit?: number | undefined;
}

/** Whether a way leads on to a question that somebody in this state has not seen. */
export function leadsToNew(way: Way, { currentQuestionId, visitedQuestionIds }: State): way is Way & { readonly next: number } {
  const { next } = way;
  return typeof next === "number" && next !== currentQuestionId && !visitedQuestionIds.includes(next);
}

/** Who begins: a new visitor, one who had signed up before (by a link), and one whose name is known as well. */
export type Visitor = "new" | "signedUp" | "named";

/** The state in which each kind of visitor begins. */
export function startsOf(compiled: CompiledQuestionnaire): Readonly<Record<Visitor, State>> {
  const fresh = initialState(compiled);
  const start = (uuid: Visitor, firstname: string | undefined): State => ({
    ...fresh,
    signupDone: true,
    user: { uuid, email: "visitor@example.com", firstname },
  });
  return { new: fresh, signedUp: start("signedUp", undefined), named: start("named", "Visitor") };
}

/** Who the visitor of a state began as. */
export function visitorOf(state: State): Visitor {
  const { uuid } = state.user;
  return uuid === "signedUp" || uuid === "named" ? uuid : "new";
}

const someDay = "2026-11-20";
const defaultLimit = 200_000;

/** All situations from the initial question, for visitors who have not signed up, who have, and who gave a name as well. Throws noInitialQuestion. */
export function explore(definition: Questionnaire, options: ExploreOptions = {}): Exploration {
  const compiled = compile(definition);
  const keyOf = keyMaker(compiled, options);
  const contexts = contextClasses(definition, options.requiresConsent);
  const situations: Situation[] = [];
  const knownIn = new Map<Context, ReadonlyMap<string, number>>();
  let complete = true;
  const limit = options.limit ?? defaultLimit;

  for (const context of contexts) {
    const known = new Map<string, number>();
    knownIn.set(context, known);
    const found: State[] = [];
    const offset = situations.length;
    const indexOf = (state: State) => {
      const key = keyOf(state, context);
      const index = known.get(key);
      if (index !== undefined) return index;
      if (offset + found.length >= limit) {
        complete = false;
        return -1;
      }
      known.set(key, offset + found.length);
      return offset + found.push(state) - 1;
    };
    // New visitors first, so that a path is theirs where there is one.
    for (const start of Object.values(startsOf(compiled))) {
      indexOf(start);
      for (let state = found[situations.length - offset]; state !== undefined; state = found[situations.length - offset]) {
        situations.push(situationOf(compiled, state, context, indexOf));
        // Nobody who has signed up is led to the sign-up screens again, but one can go back to them.
        if (state.signupDone)
          for (const questionId of state.visitedQuestionIds)
            if (compiled.nodes[questionId]?.isSignup === true)
              indexOf(forgetting(compiled, step(compiled, state, { type: "moveTo", questionId }, context).state));
      }
    }
  }
  return { compiled, contexts, situations, complete, knows: (state, context) => knownIn.get(context)?.has(keyOf(state, context)) === true };
}

function situationOf(compiled: CompiledQuestionnaire, state: State, context: Context, indexOf: (state: State) => number): Situation {
  const node = compiled.nodes[state.currentQuestionId];
  if (node === undefined) throw new Error(`A situation at question ${state.currentQuestionId}, which does not exist`);
  const { question } = node;
  const shows = (from: State, type: string) => visibleContents(compiled, question, from, context).some((item) => item.type === type);

  const { schedules } = compiled.definition;
  const scheduled =
    shows(state, "studySchedule") && schedules.length > 0
      ? schedules.map((schedule) => step(compiled, state, { type: "chooseSchedule", scheduleId: schedule.id }, context).state)
      : [state];
  const ready = scheduled.map((each) =>
    shows(each, "daySelection") ? step(compiled, each, { type: "chooseDays", days: [0, 1, 2, 3, 4] }, context).state : each,
  );

  const ways = ready.flatMap((each) =>
    visibleOptions(compiled, question, each, context).map((option): Way => {
      const before = option.type === "ToPrevious" ? each : withFields(each, visibleContents(compiled, question, each, context));
      const recorded: State = {
        ...before,
        visitedQuestionIds: [...before.visitedQuestionIds, question.id],
        selectedOptions: [...before.selectedOptions, { questionId: question.id, optionId: option.id }],
      };
      try {
        const after = step(compiled, before, { type: "answer", questionId: question.id, optionId: option.id }, context);
        const home = after.effects.some((effect) => effect.type === "goHome");
        return {
          option,
          before,
          recorded,
          next: home ? "home" : after.state.currentQuestionId,
          error: undefined,
          to: home ? -1 : indexOf(forgetting(compiled, after.state)),
        };
      } catch (error) {
        if (!(error instanceof QuestionnaireError)) throw error;
        return { option, before, recorded, next: undefined, error, to: -1 };
      }
    }),
  );
  return { context, node, state, ready, ways };
}

/**
 * A state without what was typed and chosen on questions that are no longer part of its history. It decides nothing until
 * they are reached again, and there every choice is tried anyway; knowing less is the harder case (decisions/010).
 */
export function forgetting(compiled: CompiledQuestionnaire, state: State): State {
  const visited = (what: "choosesSchedule" | "choosesDays" | "isSignup") =>
    state.visitedQuestionIds.some((id) => compiled.nodes[id]?.[what] === true);
  return {
    ...state,
    ...(visited("choosesSchedule") ? {} : { schedule: undefined, studySchedule: undefined, programEndDate: undefined }),
    ...(visited("choosesDays") ? {} : { days: [] }),
    ...(state.signupDone || visited("isSignup") ? {} : { user: {} }),
  };
}

/** What the sign-up fields that show have put into the state when the visitor goes on. */
function withFields(state: State, contents: readonly ContentItem[]): State {
  const has = (type: string) => contents.some((item) => item.type === type);
  const user = {
    ...state.user,
    ...(has("signupEmail") ? { email: "visitor@example.com" } : {}),
    ...(has("signupName") ? { firstname: "Visitor" } : {}),
  };
  return has("signupPassword") ? { ...state, signupDone: true, user: { uuid: "visitor", ...user } } : { ...state, user };
}

/** All rules below a group, groups themselves included. */
export function rulesIn(group: RuleGroup): readonly Rule[] {
  return group.rules.flatMap((rule) => ("rules" in rule ? rulesIn(rule) : [rule]));
}

/** All requirement groups of a definition with the question they stand on. */
function requirementsOf(question: Questionnaire["questions"][number]): readonly RuleGroup[] {
  return [...question.contents, ...question.options, ...(question.followUps ?? [])].flatMap(({ requirements }) =>
    requirements === undefined ? [] : [requirements],
  );
}

/** All rules of a definition. */
export function rulesOf(definition: Questionnaire): readonly Rule[] {
  return definition.questions.flatMap(requirementsOf).flatMap(rulesIn);
}

/** One context for every class of visitors that the rules tell apart. */
function contextClasses(definition: Questionnaire, requiresConsent: ExploreOptions["requiresConsent"]): readonly Context[] {
  const rules = rulesOf(definition);
  const among = (wanted: string | readonly string[] | undefined, value: string) => [wanted].flat().includes(value);
  const named = rules.flatMap((rule) => [rule.countryIs, rule.countryIsNot].flatMap((countries) => countries ?? []));
  const asksConsent = rules.some((rule) => rule.requiresMarketingConsent !== undefined);
  // Some nobody names stand for all the others, with and without consent; ZZ is no country's code.
  const countries = oneOfEach(
    ["MX", "DE", "US", ...marketingConsentCountries, ...named, "ZZ"],
    (country) =>
      `${rules.map((rule) => `${among(rule.countryIs, country)}${among(rule.countryIsNot, country)}`).join()} ${asksConsent && requiresConsent?.(country)}`,
  );
  const localeClasses = oneOfEach(["es-419", ...locales] as const, (locale) => rules.map((rule) => among(rule.localeIs, locale)).join());
  const platforms: readonly Platform[] = rules.some((rule) => rule.platform !== undefined) ? ["android", "apple", "other"] : ["android"];
  const consents = asksConsent ? [false, true] : [false];
  return countries.flatMap((country) =>
    localeClasses.flatMap((locale) =>
      platforms.flatMap((platform) =>
        (requiresConsent === undefined ? consents : [requiresConsent(country)]).map((requiresMarketingConsent): Context => ({
          locale,
          country,
          platform,
          requiresMarketingConsent,
          today: someDay,
        })),
      ),
    ),
  );
}

function oneOfEach<Item>(items: readonly Item[], classOf: (item: Item) => string): readonly Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const name = classOf(item);
    if (!first.has(name)) first.set(name, item);
  }
  return [...first.values()];
}

/** What of a state can still make a difference from its question on, as a string. */
export function keyMaker(
  compiled: CompiledQuestionnaire,
  { landmarks, targetLevelAt }: ExploreOptions = {},
): (state: State, context: Context) => string {
  const { definition } = compiled;
  const reach = reachOf(compiled);
  const live = liveAtoms(compiled, reach, targetLevelAt);
  const most = {
    no: Math.max(0, ...definition.levelQuestionRules.map((rule) => rule.no)),
    maybe: Math.max(0, ...definition.levelQuestionRules.map((rule) => rule.maybe)),
  };
  /** All that no rule names are one. */
  const named = (value: number | undefined, asked: ReadonlySet<number>) => (value === undefined || asked.has(value) ? value : "other");

  return (state, context) => {
    const id = state.currentQuestionId;
    const atoms = live.get(id) ?? noAtoms();
    const visited = (what: "choosesSchedule" | "choosesDays") => state.visitedQuestionIds.some((each) => compiled.nodes[each]?.[what]);
    const parts: (string | number | boolean | undefined)[] = [
      id,
      state.signupDone,
      state.user.email !== undefined,
      state.user.firstname !== undefined,
      state.days.length > 0,
      // A choice is forgotten with the last visited question that offers it, also where that did not show it.
      visited("choosesSchedule"),
      visited("choosesDays"),
      isLevelKnown(() => userLevel(compiled, state)),
      isLevelKnown(() => targetLevel(compiled, state, context)),
      named(state.schedule, atoms.schedules),
      named(lastLevelQuestion(compiled, state), atoms.lastLevels),
    ];
    for (const [questionId, options] of atoms.answers) parts.push(named(selectedOption(state, questionId), options));
    if (atoms.counts) {
      const { no, maybe } = levelCounts(compiled, state);
      parts.push(Math.min(no, most.no), Math.min(maybe, most.maybe));
    }
    // Coming back to a question that was visited truncates, so who of those ahead was visited matters.
    for (const each of state.visitedQuestionIds)
      if (reach.get(id)?.has(each) === true || landmarks?.has(each) === true) parts.push(`v${each}`);
    return parts.join(" ");
  };
}

/** Whether a level is known; where the engine has an error for it, it is not. */
export function isLevelKnown(level: () => unknown): boolean {
  try {
    return level() !== null;
  } catch (error) {
    if (error instanceof QuestionnaireError) return false;
    throw error;
  }
}

interface Atoms {
  /** Questions whose answer a rule ahead asks for, and the options it names. */
  readonly answers: Map<number, Set<number>>;
  readonly lastLevels: Set<number>;
  readonly schedules: Set<number>;
  /** A level rule can still be checked. */
  counts: boolean;
}
function noAtoms(): Atoms {
  return { answers: new Map(), lastLevels: new Set(), schedules: new Set(), counts: false };
}

/** Per question, what the rules on it and on all questions ahead ask for. */
function liveAtoms(
  compiled: CompiledQuestionnaire,
  reach: ReadonlyMap<number, ReadonlySet<number>>,
  targetLevelAt: ReadonlySet<number> | undefined,
): ReadonlyMap<number, Atoms> {
  const live = new Map<number, Atoms>();
  for (const [id, ahead] of reach) {
    const atoms = noAtoms();
    for (const each of new Set([id, ...ahead])) addAtoms(atoms, compiled, each, targetLevelAt);
    live.set(id, atoms);
  }
  return live;
}

function addAtoms(atoms: Atoms, compiled: CompiledQuestionnaire, id: number, targetLevelAt: ReadonlySet<number> | undefined): void {
  const node = compiled.nodes[id];
  if (node === undefined) return;
  const { question, isLevel, choosesSchedule } = node;
  const target = compiled.firstOfType.TargetLevelView;
  const groups = [...requirementsOf(question), ...(target !== undefined && targetLevelAt?.has(id) === true ? requirementsOf(target) : [])];
  for (const rule of groups.flatMap(rulesIn)) {
    if (rule.questionId !== undefined) {
      const options = atoms.answers.get(rule.questionId) ?? new Set();
      if (rule.optionId !== undefined) options.add(rule.optionId);
      atoms.answers.set(rule.questionId, options);
    }
    if (rule.lastLevelQuestion !== undefined) atoms.lastLevels.add(rule.lastLevelQuestion);
    if (rule.schedule !== undefined) atoms.schedules.add(rule.schedule);
  }
  if (choosesSchedule)
    for (const schedule of compiled.definition.schedules) if (schedule.followUpQuestion !== undefined) atoms.schedules.add(schedule.id);
  if (isLevel && question.options.some((option) => option.type === "No")) atoms.counts = true;
}

/** Per question, all that any rule can lead to from there on; itself too where it lies on a circle. */
function reachOf(compiled: CompiledQuestionnaire): ReadonlyMap<number, ReadonlySet<number>> {
  const reach = new Map<number, ReadonlySet<number>>();
  for (const { id } of compiled.definition.questions) {
    const seen = new Set<number>();
    const open = [id];
    for (let from = open.pop(); from !== undefined; from = open.pop())
      for (const next of compiled.nodes[from]?.successors ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    reach.set(id, seen);
  }
  return reach;
}
