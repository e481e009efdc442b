/** A questionnaire indexed for fast steps. Built once, before the first step. */
import type { Option, Question, Questionnaire, QuestionType, StudySchedule } from "./definition.ts";
import { type Effect, goHome, save, type TrackEffect } from "./effect.ts";

/** The precomputed result of an option, because a step runs for every answer of every visitor. */
export interface CompiledAnswer {
  readonly option: Option;
  readonly selected: { readonly questionId: number; readonly optionId: number };
  readonly track: TrackEffect;
  readonly extraTrack: TrackEffect | undefined;
  /** The effects of choosing this option when its own follow-up is the next question. */
  readonly effects: readonly Effect[];
}

export function effectsOf({ track, extraTrack }: Pick<CompiledAnswer, "track" | "extraTrack">, lead: Effect): readonly Effect[] {
  return extraTrack === undefined ? [save, track, lead] : [save, track, extraTrack, lead];
}

export interface CompiledQuestion {
  readonly question: Question;
  /** Indexed by option id; a sparse array. */
  readonly answers: readonly (CompiledAnswer | undefined)[];
  readonly goTo: Effect;
  readonly isLevel: boolean;
  /** Whether it is the LevelQuestion with the highest id. Its follow-up is fixed (spec 000 §4, rule 1). */
  readonly isLastLevel: boolean;
  readonly isSignup: boolean;
  /** It contains a studySchedule block. */
  readonly choosesSchedule: boolean;
  /** It contains a daySelection block. */
  readonly choosesDays: boolean;
  /** It contains a signupName block. */
  readonly asksName: boolean;
  /** It contains a signupPassword block. */
  readonly asksPassword: boolean;
  /** Ids of all possible next questions, whatever the requirements; without ways back and home. */
  readonly successors: readonly number[];
  /** Total weight of all questions with an id up to this one (spec 001 §4). */
  readonly weightUpTo: number;
  /** Weight of the lightest path to `progress.end`, excluding this question; Infinity without a path. */
  readonly weightToEnd: number;
}

export interface CompiledQuestionnaire {
  readonly definition: Questionnaire;
  /** Undefined for an unknown id. */
  readonly question: (id: number) => Question | undefined;
  /** Indexed by question id; a sparse array. */
  readonly nodes: readonly (CompiledQuestion | undefined)[];
  /** The first question of each type, in the order of the definition. */
  readonly firstOfType: Readonly<Partial<Record<QuestionType, Question>>>;
}

/** Compiles a parsed definition. Never throws: the checker finds a definition's faults, and the engine throws when it meets one. */
export function compile(definition: Questionnaire): CompiledQuestionnaire {
  const lastLevelId = Math.max(
    ...definition.questions.filter((question) => question.type === "LevelQuestion").map((question) => question.id),
  );
  const weights = new Map(definition.questions.map((question) => [question.id, question.weight]));
  const successors = new Map(
    definition.questions.map((question) => [question.id, successorsOf(definition, question, question.id === lastLevelId)]),
  );
  const toEnd = weightsToEnd(weights, successors, definition.progress.end);

  const nodes: (CompiledQuestion | undefined)[] = [];
  const firstOfType: Partial<Record<QuestionType, Question>> = {};
  let weightUpTo = 0;
  for (const question of definition.questions.toSorted((a, b) => a.id - b.id)) {
    weightUpTo += question.weight;
    nodes[question.id] = {
      question,
      answers: answersOf(definition, question),
      goTo: { type: "goTo", questionId: question.id },
      isLevel: question.type === "LevelQuestion",
      isLastLevel: question.id === lastLevelId,
      isSignup: question.type === "SignupView",
      choosesSchedule: holdsBlock(question, "studySchedule"),
      choosesDays: holdsBlock(question, "daySelection"),
      asksName: holdsBlock(question, "signupName"),
      asksPassword: holdsBlock(question, "signupPassword"),
      successors: successors.get(question.id) ?? [],
      weightUpTo,
      weightToEnd: toEnd.get(question.id) ?? Number.POSITIVE_INFINITY,
    };
  }
  for (const question of definition.questions) if (question.type !== undefined) firstOfType[question.type] ??= question;
  return { definition, question: (id) => nodes[id]?.question, nodes, firstOfType };
}

function answersOf(
  { id: questionnaire, extraTrackingQuestion }: Questionnaire,
  { id: questionId, options }: Question,
): readonly (CompiledAnswer | undefined)[] {
  const answers: (CompiledAnswer | undefined)[] = [];
  for (const option of options) {
    const selected = { questionId, optionId: option.id };
    const name = `question-${questionId}-option-${option.id}`;
    const tracks: Pick<CompiledAnswer, "track" | "extraTrack"> = {
      track: { type: "track", event: "QuestionnaireAnswer", payload: { questionnaire, ...selected } },
      extraTrack:
        questionId === extraTrackingQuestion ? { type: "track", event: "CampaignEvent", payload: { questionnaire, name } } : undefined,
    };
    const lead: Effect = option.followUpQuestion === undefined ? goHome : { type: "goTo", questionId: option.followUpQuestion };
    answers[option.id] ??= { option, selected, ...tracks, effects: effectsOf(tracks, lead) };
  }
  return answers;
}

/** Whether an option leads back or home. It is always available: it needs no answer and sends nothing. */
export function isWayBack({ type }: Pick<Option, "type">): boolean {
  return type === "ToPrevious" || type === "ToHomePage";
}

/** The option of a question by id, or undefined. */
export function optionOf(question: Question, optionId: number): Option | undefined {
  for (const option of question.options) if (option.id === optionId) return option;
  return undefined;
}

/** The study schedule by id, or undefined. */
export function scheduleOf(compiled: CompiledQuestionnaire, scheduleId: number | undefined): StudySchedule | undefined {
  return compiled.definition.schedules.find((schedule) => schedule.id === scheduleId);
}

function holdsBlock(question: Question, type: string): boolean {
  return question.contents.some((item) => item.type === type);
}

function successorsOf(definition: Questionnaire, question: Question, isLastLevel: boolean): readonly number[] {
  if (isLastLevel) return [definition.lastLevelQuestionFollowUpQuestion];
  const ids = new Set<number>();
  for (const followUp of question.followUps ?? []) ids.add(followUp.followUpQuestion);
  if (holdsBlock(question, "studySchedule"))
    for (const schedule of definition.schedules) if (schedule.followUpQuestion !== undefined) ids.add(schedule.followUpQuestion);
  for (const option of question.options) {
    if (isWayBack(option)) continue;
    if (option.followUpQuestion !== undefined) ids.add(option.followUpQuestion);
    if (option.type === "No" && question.type === "LevelQuestion")
      for (const rule of definition.levelQuestionRules) ids.add(rule.followUpQuestion);
  }
  return [...ids];
}

/**
 * Searches backwards from the end, and continues from each question with a newly found lighter path. Entering a question costs its
 * weight.
 */
function weightsToEnd(
  weights: ReadonlyMap<number, number>,
  successors: ReadonlyMap<number, readonly number[]>,
  end: number,
): ReadonlyMap<number, number> {
  const best = new Map<number, number>(weights.has(end) ? [[end, 0]] : []);
  const open = [...best.keys()];
  for (const to of open) {
    const through = (best.get(to) ?? 0) + (weights.get(to) ?? 0);
    for (const [from, targets] of successors) {
      if (!targets.includes(to) || through >= (best.get(from) ?? Number.POSITIVE_INFINITY)) continue;
      best.set(from, through);
      open.push(from);
    }
  }
  return best;
}
