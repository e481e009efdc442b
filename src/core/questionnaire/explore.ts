/**
 * Explores every situation that a visitor can reach (decisions/010). A situation is a class of states that no later rule can distinguish.
 * One real state, produced by the engine itself, represents it, so every reported path can be replayed.
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
  /** Before the answer, with schedule and days chosen if the question asks for them. */
  readonly before: State;
  /** With the answer recorded but no follow-up chosen yet. Follow-ups are evaluated on this state. */
  readonly recorded: State;
  /** The next question; undefined when the engine throws. */
  readonly next: number | "home" | undefined;
  readonly error: QuestionnaireError | undefined;
  /** Index of the next situation; -1 for home and errors. */
  readonly to: number;
}

export interface Situation {
  readonly context: Context;
  /** The compiled question of `state.currentQuestionId`. */
  readonly node: CompiledQuestion;
  /** The state on arrival. */
  readonly state: State;
  /** The state after each possible choice of schedule and days; a single entry if the question asks for neither. */
  readonly ready: readonly State[];
  readonly ways: readonly Way[];
}

export interface Exploration {
  readonly compiled: CompiledQuestionnaire;
  readonly contexts: readonly Context[];
  readonly situations: readonly Situation[];
  /** False when the limit was reached. Then nothing is proved. */
  readonly complete: boolean;
  /** Whether one of the situations contains this state: the state on arrival at a question, of a visitor in one of the contexts. */
  readonly knows: (state: State, context: Context) => boolean;
}

export interface ExploreOptions {
  /** Whether a country requires marketing consent. Without it, both cases are tried for every country. */
  readonly requiresConsent?: ((country: string) => boolean) | undefined;
  /** Questions whose visits distinguish situations: the program views. */
  readonly landmarks?: ReadonlySet<number> | undefined;
  /** Questions whose texts or blocks need the target level. */
  readonly targetLevelAt?: ReadonlySet<number> | undefined;
  readonly limit?: number | undefined;
}

/** Whether a way leads to a question that is not visited in this state. */
export function leadsToNew(way: Way, { currentQuestionId, visitedQuestionIds }: State): way is Way & { readonly next: number } {
  const { next } = way;
  return typeof next === "number" && next !== currentQuestionId && !visitedQuestionIds.includes(next);
}

/** The kinds of visitors at the start: a new one, one signed up already (by a link), and a signed-up one with a known name. */
export type Visitor = "new" | "signedUp" | "named";

/** The initial state of each kind of visitor. */
export function startsOf(compiled: CompiledQuestionnaire): Readonly<Record<Visitor, State>> {
  const fresh = initialState(compiled);
  const start = (uuid: Visitor, firstname: string | undefined): State => ({
    ...fresh,
    signupDone: true,
    user: { uuid, email: "visitor@example.com", firstname },
  });
  return { new: fresh, signedUp: start("signedUp", undefined), named: start("named", "Visitor") };
}

/** The kind of visitor that a state started as. */
export function visitorOf(state: State): Visitor {
  const { uuid } = state.user;
  return uuid === "signedUp" || uuid === "named" ? uuid : "new";
}

const someDay = "2026-11-20";
const defaultLimit = 200_000;

/** All situations reachable from the initial question, for new, signed-up and named visitors. Throws noInitialQuestion. */
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
    // New visitors come first, so that they appear in example paths if possible.
    for (const start of Object.values(startsOf(compiled))) {
      indexOf(start);
      for (let state = found[situations.length - offset]; state !== undefined; state = found[situations.length - offset]) {
        situations.push(situationOf(compiled, state, context, indexOf));
        // Signed-up visitors are not sent to the sign-up screens, but can go back to them.
        if (state.signupDone)
          for (const questionId of state.visitedQuestionIds)
            if (compiled.nodes[questionId]?.isSignup === true)
              indexOf(withoutUnreachedInput(compiled, step(compiled, state, { type: "moveTo", questionId }, context).state));
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
          to: home ? -1 : indexOf(withoutUnreachedInput(compiled, after.state)),
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
 * A state without the input and choices of questions outside its history. They have no effect before their question is reached again, and
 * then every choice is tried anyway. A state that contains less is harder to prove sound, so nothing is missed (decisions/010).
 */
export function withoutUnreachedInput(compiled: CompiledQuestionnaire, state: State): State {
  const visited = (what: "choosesSchedule" | "choosesDays" | "isSignup") =>
    state.visitedQuestionIds.some((id) => compiled.nodes[id]?.[what] === true);
  return {
    ...state,
    ...(visited("choosesSchedule") ? {} : { schedule: undefined, studySchedule: undefined, programEndDate: undefined }),
    ...(visited("choosesDays") ? {} : { days: [] }),
    ...(state.signupDone || visited("isSignup") ? {} : { user: {} }),
  };
}

/** Adds the values of the visible sign-up fields to the state, as going on does. */
function withFields(state: State, contents: readonly ContentItem[]): State {
  const has = (type: string) => contents.some((item) => item.type === type);
  const user = {
    ...state.user,
    ...(has("signupEmail") ? { email: "visitor@example.com" } : {}),
    ...(has("signupName") ? { firstname: "Visitor" } : {}),
  };
  return has("signupPassword") ? { ...state, signupDone: true, user: { uuid: "visitor", ...user } } : { ...state, user };
}

/** All rules in a group and its subgroups. */
export function rulesIn(group: RuleGroup): readonly Rule[] {
  return group.rules.flatMap((rule) => ("rules" in rule ? rulesIn(rule) : [rule]));
}

/** All requirement groups of a question. */
function requirementsOf(question: Questionnaire["questions"][number]): readonly RuleGroup[] {
  return [...question.contents, ...question.options, ...(question.followUps ?? [])].flatMap(({ requirements }) =>
    requirements === undefined ? [] : [requirements],
  );
}

/** All rules of a definition. */
export function rulesOf(definition: Questionnaire): readonly Rule[] {
  return definition.questions.flatMap(requirementsOf).flatMap(rulesIn);
}

/** One context for each class of visitors that some rule distinguishes. */
function contextClasses(definition: Questionnaire, requiresConsent: ExploreOptions["requiresConsent"]): readonly Context[] {
  const rules = rulesOf(definition);
  const among = (wanted: string | readonly string[] | undefined, value: string) => [wanted].flat().includes(value);
  const named = rules.flatMap((rule) => [rule.countryIs, rule.countryIsNot].flatMap((countries) => countries ?? []));
  const asksConsent = rules.some((rule) => rule.requiresMarketingConsent !== undefined);
  // Countries that no rule names are represented by one with and one without consent; ZZ is not a country code.
  const countries = firstOfEachClass(
    ["MX", "DE", "US", ...marketingConsentCountries, ...named, "ZZ"],
    (country) =>
      `${rules.map((rule) => `${among(rule.countryIs, country)}${among(rule.countryIsNot, country)}`).join()} ${asksConsent && requiresConsent?.(country)}`,
  );
  const localeClasses = firstOfEachClass(["es-419", ...locales] as const, (locale) =>
    rules.map((rule) => among(rule.localeIs, locale)).join(),
  );
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

function firstOfEachClass<Item>(items: readonly Item[], classOf: (item: Item) => string): readonly Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const name = classOf(item);
    if (!first.has(name)) first.set(name, item);
  }
  return [...first.values()];
}

/** Makes the key of a state: everything in it that can still matter from its question on. */
export function keyMaker(
  compiled: CompiledQuestionnaire,
  { landmarks, targetLevelAt }: ExploreOptions = {},
): (state: State, context: Context) => string {
  const { definition } = compiled;
  const reach = reachOf(compiled);
  const live = liveAtoms(compiled, reach, targetLevelAt);
  const max = {
    no: Math.max(0, ...definition.levelQuestionRules.map((rule) => rule.no)),
    maybe: Math.max(0, ...definition.levelQuestionRules.map((rule) => rule.maybe)),
  };
  /** All values that no rule names share one key. */
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
      // A choice is forgotten together with the last visited question that can offer it, even if that question did not show it.
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
      parts.push(Math.min(no, max.no), Math.min(maybe, max.maybe));
    }
    // Returning to a visited question truncates the history, so the key contains the visited questions that are still ahead.
    for (const each of state.visitedQuestionIds)
      if (reach.get(id)?.has(each) === true || landmarks?.has(each) === true) parts.push(`v${each}`);
    return parts.join(" ");
  };
}

/** Whether a level is known. An engine error means that it is not. */
export function isLevelKnown(level: () => unknown): boolean {
  try {
    return level() !== null;
  } catch (error) {
    if (error instanceof QuestionnaireError) return false;
    throw error;
  }
}

interface Atoms {
  /** Questions whose answer a later rule checks, with the options it names. */
  readonly answers: Map<number, Set<number>>;
  readonly lastLevels: Set<number>;
  readonly schedules: Set<number>;
  /** Whether a level rule can still apply. */
  counts: boolean;
}
function noAtoms(): Atoms {
  return { answers: new Map(), lastLevels: new Set(), schedules: new Set(), counts: false };
}

/** Per question: what its rules and the rules of all questions ahead check. */
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

/** Per question: all questions that can follow, directly or later. Includes the question itself if it lies on a cycle. */
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
