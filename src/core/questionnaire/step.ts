/** The engine: one pure step from a state and an event to the next state and its effects (spec 000 §4). */
import { type CompiledQuestion, type CompiledQuestionnaire, effectsOf, scheduleOf } from "./compile.ts";
import type { Context } from "./context.ts";
import { type Effect, goHome, save } from "./effect.ts";
import { QuestionnaireError } from "./error.ts";
import { followUpOf, homePage, pastSignup } from "./next.ts";
import { agreedSchedule, type Pace, paceOf } from "./plan.ts";
import type { ListField, State, StateUser } from "./state.ts";

export type QuestionnaireEvent =
  /** An option was chosen. A repeated answer only goes on. A different one first truncates the history from its question on. */
  | { readonly type: "answer"; readonly questionId: number; readonly optionId: number }
  /** The visitor goes (back) to a question. The history is truncated from it on. */
  | { readonly type: "moveTo"; readonly questionId: number }
  | { readonly type: "chooseSchedule"; readonly scheduleId: number }
  /** 0 = Monday … 6 = Sunday */
  | { readonly type: "chooseDays"; readonly days: readonly number[] }
  | { readonly type: "toggleListItem"; readonly list: ListField; readonly item: string }
  | { readonly type: "setUser"; readonly user: Partial<StateUser> }
  | { readonly type: "signedUp"; readonly uuid: string }
  /** `at`: ISO 8601 */
  | { readonly type: "finish"; readonly at: string };

export type { Effect } from "./effect.ts";
export interface StepResult {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** A state under construction: the compiler demands each field. */
type NewState = { -readonly [Key in keyof Required<State>]: State[Key] };

const saveOnly: readonly Effect[] = [save];
const noEffects: readonly Effect[] = [];

/** The state before the first answer (spec 000 §4). Throws noInitialQuestion. */
export function initialState(compiled: CompiledQuestionnaire, user: StateUser = {}): State {
  const { definition } = compiled;
  if (compiled.nodes[definition.initialQuestion] === undefined)
    throw new QuestionnaireError("noInitialQuestion", `question ${definition.initialQuestion}`);
  return {
    id: definition.id,
    signupDone: false,
    finished: false,
    finishedTimestamp: undefined,
    visitedQuestionIds: [],
    selectedOptions: [],
    currentQuestionId: definition.initialQuestion,
    user,
    schedule: undefined,
    days: [],
    studySchedule: undefined,
    programEndDate: undefined,
    skillsToImprove: [],
    moreInfoOf: [],
    programChangeWish: [],
  };
}

/**
 * One step. Never changes its arguments. Repeating the same answer, schedule or days returns the identical state object and no `save`. Throws
 * QuestionnaireError: unknownQuestion, unknownOption, unknownSchedule, noHistory, noFollowUpId.
 */
export function step(compiled: CompiledQuestionnaire, state: State, event: QuestionnaireEvent, context: Context): StepResult {
  const result = applyEvent(compiled, state, event, context);
  if (result.state === state || result.state.schedule === undefined) return result;
  const planned = withCurrentPlan(compiled, result.state, context);
  return planned === result.state ? result : { ...result, state: planned };
}

function applyEvent(compiled: CompiledQuestionnaire, state: State, event: QuestionnaireEvent, context: Context): StepResult {
  switch (event.type) {
    case "answer":
      return answer(compiled, state, event.questionId, event.optionId, context);
    case "moveTo":
      return { state: moveTo(compiled, state, event.questionId), effects: [save, { type: "goTo", questionId: event.questionId }] };
    case "chooseSchedule":
      return chooseSchedule(compiled, state, event.scheduleId);
    case "chooseDays": {
      const days = [...new Set(event.days)].filter((day) => Number.isInteger(day) && day >= 0 && day <= 6).toSorted((a, b) => a - b);
      if (days.join() === state.days.join()) return { state, effects: noEffects };
      // Rules only check whether days were chosen, so choosing other days keeps the later history (decisions/003).
      const kept = days.length > 0 === state.days.length > 0 ? state : backToChoice(compiled, state, "choosesDays");
      return { state: { ...kept, days }, effects: saveOnly };
    }
    case "toggleListItem": {
      const list = state[event.list];
      const items = list.includes(event.item) ? list.filter((item) => item !== event.item) : [...list, event.item];
      return { state: { ...state, [event.list]: items }, effects: saveOnly };
    }
    case "setUser":
      return { state: { ...state, user: { ...state.user, ...event.user } }, effects: saveOnly };
    case "signedUp":
      return { state: { ...state, signupDone: true, user: { ...state.user, uuid: event.uuid } }, effects: saveOnly };
    case "finish":
      return { state: { ...state, finished: true, finishedTimestamp: event.at }, effects: saveOnly };
  }
}

/**
 * The initial state with the embedded first question (id 2) answered by the given option, or by its first one (spec 000 §4). Throws
 * noEmbeddedQuestion, noInitialQuestion, unknownOption.
 */
export function prefillEmbedded(compiled: CompiledQuestionnaire, context: Context, optionId?: number): StepResult {
  const { embeddedQuestion } = compiled.definition;
  const chosen = optionId ?? compiled.nodes[embeddedQuestion]?.question.options[0]?.id;
  if (chosen === undefined || compiled.nodes[embeddedQuestion] === undefined) throw new QuestionnaireError("noEmbeddedQuestion");
  return answer(compiled, initialState(compiled), embeddedQuestion, chosen, context);
}

function answer(compiled: CompiledQuestionnaire, before: State, questionId: number, optionId: number, context: Context): StepResult {
  const node = compiled.nodes[questionId];
  if (node === undefined) throw new QuestionnaireError("unknownQuestion", `question ${questionId}`);
  const chosen = node.answers[optionId];
  if (chosen === undefined) throw new QuestionnaireError("unknownOption", `question ${questionId}, option ${optionId}`);
  const { option, selected } = chosen;

  let base = before;
  const history = before.visitedQuestionIds;
  let at = 0;
  // The highest id so far. A next question with a higher id was not visited, so most steps need no search in the history.
  let highest = questionId;
  for (; at < history.length; at++) {
    const id = history[at] ?? 0;
    if (id === questionId) break;
    if (id > highest) highest = id;
  }
  if (at < history.length) {
    if (before.selectedOptions.some((earlier) => earlier.questionId === questionId && earlier.optionId === optionId)) {
      if (option.type === "ToHomePage" && at === history.length - 1) return { state: before, effects: [goHome] };
      const forward = wayForward(compiled, before, node, at);
      if (forward !== undefined) return { state: before, effects: [{ type: "goTo", questionId: forward }] };
    }
    base = moveTo(compiled, before, questionId);
  }
  const state = withAnswer(base, selected);
  let next = followUpOf(compiled, state, node, option, context);
  // A signed-up visitor skips the sign-up screens when coming back to them (spec 001 §4, step 6).
  if (state.signupDone && !node.isSignup) next = pastSignup(compiled, state, next, context);

  const target = compiled.nodes[next];
  if (next !== homePage && target === undefined) throw new QuestionnaireError("unknownQuestion", `question ${next}`);
  const effects = next === option.followUpQuestion ? chosen.effects : effectsOf(chosen, target === undefined ? goHome : target.goTo);
  if (target === undefined) return { state, effects };
  if (next <= highest && state.visitedQuestionIds.includes(next)) return { state: moveTo(compiled, state, next), effects };
  // The object is not shared yet, so it can be changed without another copy.
  state.currentQuestionId = next;
  return { state, effects };
}

/** The state with one more answer, at its question. Written out, because a spread makes a step a tenth slower. */
function withAnswer(base: State, selected: State["selectedOptions"][number]): NewState {
  return {
    id: base.id,
    release: base.release,
    signupDone: base.signupDone,
    finished: base.finished,
    finishedTimestamp: base.finishedTimestamp,
    // `toSpliced` allocates the copy once; a spread would reallocate it for the last item.
    visitedQuestionIds: base.visitedQuestionIds.toSpliced(base.visitedQuestionIds.length, 0, selected.questionId),
    selectedOptions: base.selectedOptions.toSpliced(base.selectedOptions.length, 0, selected),
    currentQuestionId: selected.questionId,
    user: base.user,
    schedule: base.schedule,
    days: base.days,
    studySchedule: base.studySchedule,
    programEndDate: base.programEndDate,
    skillsToImprove: base.skillsToImprove,
    moreInfoOf: base.moreInfoOf,
    programChangeWish: base.programChangeWish,
  };
}

/**
 * The next question after a repeated answer: the next one in the history, or the current question at its end. Undefined at the end if the current
 * question is in the history itself, as a link's target may be: then it would lead back, and the answer counts anew.
 */
function wayForward(compiled: CompiledQuestionnaire, state: State, from: CompiledQuestion, at: number): number | undefined {
  const { visitedQuestionIds, currentQuestionId } = state;
  const rest = visitedQuestionIds.slice(at + 1);
  const next = state.signupDone && !from.isSignup ? rest.find((id) => compiled.nodes[id]?.isSignup !== true) : rest[0];
  return next ?? (visitedQuestionIds.includes(currentQuestionId) ? undefined : currentQuestionId);
}

function moveTo(compiled: CompiledQuestionnaire, state: State, questionId: number): State {
  if (compiled.nodes[questionId] === undefined) throw new QuestionnaireError("unknownQuestion", `question ${questionId}`);
  const at = state.visitedQuestionIds.indexOf(questionId);
  if (at < 0) return { ...state, currentQuestionId: questionId };
  const kept = state.visitedQuestionIds.slice(0, at);
  return {
    ...state,
    currentQuestionId: questionId,
    visitedQuestionIds: kept,
    selectedOptions: state.selectedOptions.filter((selected) => kept.includes(selected.questionId)),
  };
}

/**
 * Truncates the history at the question of a choice, because later questions depended on the old choice. The answer to that question is removed too:
 * the new choice may no longer offer it.
 */
function backToChoice(compiled: CompiledQuestionnaire, state: State, what: "choosesSchedule" | "choosesDays"): State {
  const chooses = (id: number) => compiled.nodes[id]?.[what] === true;
  const questionId = chooses(state.currentQuestionId) ? state.currentQuestionId : state.visitedQuestionIds.findLast(chooses);
  return questionId === undefined ? state : moveTo(compiled, state, questionId);
}

/**
 * The state with an updated plan: a new level, available time or date changes the figures of the chosen schedule. If the schedule now has fewer
 * days than were chosen, the days must be chosen again. A visitor who has passed their question goes back to it.
 */
function withCurrentPlan(compiled: CompiledQuestionnaire, state: State, context: Context): State {
  const plan = agreedSchedule(compiled, state, context.today);
  if (plan === null) return state;
  const { practiseDaysPerWeek } = plan.pace;
  const kept = state.studySchedule;
  const fewer = (kept?.practiseDaysPerWeek ?? 0) > practiseDaysPerWeek;
  if (fewer && state.days.length > practiseDaysPerWeek)
    return withCurrentPlan(compiled, { ...backToChoice(compiled, state, "choosesDays"), days: [] }, context);
  const studySchedule = kept && isSamePace(kept, plan.pace) ? kept : plan.pace;
  if (studySchedule === kept && state.programEndDate === plan.end) return state;
  return { ...state, studySchedule, programEndDate: plan.end };
}

function isSamePace(one: Pace, other: Pace): boolean {
  return (
    one.id === other.id &&
    one.months === other.months &&
    one.practiseDaysPerWeek === other.practiseDaysPerWeek &&
    one.minutesPerSession === other.minutesPerSession
  );
}

function chooseSchedule(compiled: CompiledQuestionnaire, state: State, scheduleId: number): StepResult {
  const schedule = scheduleOf(compiled, scheduleId);
  if (schedule === undefined) throw new QuestionnaireError("unknownSchedule", `schedule ${scheduleId}`);
  if (state.schedule === scheduleId) return { state, effects: noEffects };
  const { months, practiseDaysPerWeek, minutesPerSession } = paceOf(compiled, state, schedule);
  return {
    state: { ...backToChoice(compiled, state, "choosesSchedule"), schedule: scheduleId },
    effects: [
      save,
      {
        type: "track",
        event: "StudyScheduleSelected",
        payload: { questionnaire: state.id, schedule: scheduleId, months, practiseDaysPerWeek, minutesPerSession },
      },
    ],
  };
}
