/** The visitor's session: the pure engine, a place to keep its state, and what its effects ask for. */
import { createListeners } from "../listeners.ts";
import type { SignupFields } from "#blocks/block.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { finalProgramView } from "#core/questionnaire/next.ts";
import { mergeState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type Effect, initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import type { Saving } from "./saving.ts";
import type { PageEvent } from "./event.ts";
import type { Api } from "../api/client.ts";
import { eventsOfLink, pageEvent, takeOver } from "./linked.ts";
import type { Problem, SubmitOutcome } from "./submit.ts";
import { keepSavedState, keepState, readState, syncOf } from "../device/keptState.ts";
import type { KeyValueStore } from "../device/storage.ts";

export interface Snapshot {
  readonly state: State;
  readonly context: Context;
  /** False while the server renders and until the page is hydrated. */
  readonly live: boolean;
  readonly fields: SignupFields;
  /** Keys of the messages that show at the fields now. */
  readonly errors: Readonly<Partial<Record<keyof SignupFields, string>>>;
  /** An answer is on its way. */
  readonly busy: boolean;
  /** Why the last answer could not be taken; what was typed is still there. */
  readonly problem: Problem | null;
  /** The last answer that was asked for. */
  readonly tried?: { readonly questionId: number; readonly optionId: number };
}

export interface Session {
  readonly compiled: CompiledQuestionnaire;
  /** The release that is answered. */
  readonly release: string;
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => Snapshot;
  /** What the server rendered, the same for everybody; hydration starts from it. */
  readonly rendered: () => Snapshot;
  /** Takes over the answers in the address the page was opened with, and counts those that the device did not have. To be called once, first. */
  readonly arrive: () => void;
  readonly dispatch: (event: QuestionnaireEvent) => void;
  readonly setContext: (context: Partial<Context>) => void;
  readonly setField: (field: keyof SignupFields, value: string) => void;
  readonly blurField: (field: keyof SignupFields) => void;
  /** The submit flow of spec 001 §4. Resolves when the answer is taken or refused. */
  readonly choose: (questionId: number, optionId: number) => Promise<void>;
  /** Takes over a state after login; `savedAt` when it is the server's as it stands. */
  readonly adopt: (state: State, savedAt?: string) => void;
  /** A question shows: the program view at the end of the questions finishes the questionnaire (spec 000 §4). */
  readonly shown: (questionId: number) => void;
  /** Saves what is waiting, at once. */
  readonly flush: (leaving: boolean) => Promise<void>;
  /** Takes over what another device did meanwhile; `moving` when this page may go to another question for it. */
  readonly catchUp: (moving: boolean) => Promise<void>;
}

/** What the session does to the world around it. */
export interface SessionParts {
  readonly store: KeyValueStore;
  readonly api: Api;
  readonly track: (event: PageEvent) => void;
  /** The state before and after what the visitor did; not told of states that come from elsewhere. */
  readonly moved?: (before: State, after: State) => void;
  readonly goTo: (questionId: number) => void;
  readonly leaveTo: (outcome: Exclude<SubmitOutcome, "answered">) => void;
  readonly goHome: () => void;
  readonly now: () => Date;
  /** An error nobody expected, for the operator; the visit goes on. */
  readonly report: (error: unknown) => void;
  /** What signing up takes; fetched when it is near. */
  readonly submitting: () => Promise<typeof import("./submit.ts")>;
  /** What keeps the state on the server; fetched once there is an account. */
  readonly saving: () => Promise<typeof import("./saving.ts")>;
  /** Country, platform and date as the device has them. */
  readonly context: Context;
  readonly release: string;
  /** Leaves for a question of another release. */
  readonly leaveForRelease: (questionId: number, release: string) => void;
}

const noFields: SignupFields = { firstname: "", email: "", password: "" };

/** What the server renders for a link's answers; a code that does not fit is cut where it stops fitting. */
export function renderedSnapshot(compiled: CompiledQuestionnaire, context: Context, answers: string): Snapshot {
  const state = answers === "" ? initialState(compiled) : replayAnswers(compiled, answers, context);
  return { state, context, live: false, fields: noFields, errors: {}, busy: false, problem: null };
}

/** A session that never changes, for the server. */
export function frozenSession(compiled: CompiledQuestionnaire, rendered: Snapshot): Session {
  const nothing = () => {};
  const nothingAsync = () => Promise.resolve();
  return {
    compiled,
    release: "",
    subscribe: () => nothing,
    snapshot: () => rendered,
    rendered: () => rendered,
    arrive: nothing,
    dispatch: nothing,
    setContext: nothing,
    setField: nothing,
    blurField: nothing,
    choose: nothingAsync,
    shown: nothing,
    adopt: nothing,
    flush: nothingAsync,
    catchUp: nothingAsync,
  };
}

/** What the parts of a session share. */
interface SessionCore {
  readonly compiled: CompiledQuestionnaire;
  readonly parts: SessionParts;
  readonly current: () => Snapshot;
  readonly set: (change: Partial<Snapshot>) => void;
}

export function createSession(compiled: CompiledQuestionnaire, rendered: Snapshot, parts: SessionParts): Session {
  const { subscribe, tell } = createListeners();
  let current = startingSnapshot(compiled, rendered, parts);
  function set(change: Partial<Snapshot>) {
    current = { ...current, ...change, ...(change.state && { state: ofRelease(change.state, parts.release) }) };
    tell();
  }
  const core: SessionCore = { compiled, parts, current: () => current, set };
  const { keep, ...keeping } = createKeeping(core);
  const { leaveAll, ...fields } = createFields(core);

  function perform(effect: Effect) {
    switch (effect.type) {
      case "save":
        return keep();
      case "track":
        return parts.track(pageEvent(effect));
      case "goTo":
        return parts.goTo(effect.questionId);
      case "goHome":
        return parts.goHome();
    }
  }

  function arrive() {
    const kept = current.state;
    const state = takeOver(compiled, kept, rendered.state, current.context);
    if (state === kept) return;
    set({ state });
    keep();
    parts.moved?.(kept, state);
    for (const event of eventsOfLink(compiled, kept, rendered.state, current.context)) parts.track(event);
  }

  function dispatch(event: QuestionnaireEvent) {
    const before = current.state;
    const { state, effects } = step(compiled, before, event, current.context);
    const paceChanged = state.studySchedule !== before.studySchedule || state.days !== before.days;
    set({ state });
    parts.moved?.(before, state);
    effects.forEach(perform);
    if (paceChanged && state.signupDone) void saveSchedule(parts.api, current.state);
  }

  return {
    compiled,
    release: parts.release,
    subscribe,
    snapshot: () => current,
    rendered: () => rendered,
    arrive,
    dispatch,
    setContext: (context) => set({ context: { ...current.context, ...context } }),
    ...fields,
    choose: (questionId, optionId) => choose(core, dispatch, questionId, optionId),
    shown(questionId) {
      leaveAll();
      parts.track({ eventType: "QuestionnaireQuestionShown", payload: { questionId } });
      const { state, context } = current;
      if (state.signupDone && !state.finished && isProgramView(core, questionId, state, context))
        dispatch({ type: "finish", at: parts.now().toISOString() });
    },
    ...keeping,
  };
}

function startingSnapshot(compiled: CompiledQuestionnaire, rendered: Snapshot, { store, context, release }: SessionParts): Snapshot {
  const stored = readState(store);
  const state =
    stored?.id === compiled.definition.id ? mergeState(compiled, stored) : { ...initialState(compiled), user: { uuid: stored?.user.uuid } };
  return {
    ...rendered,
    state: ofRelease(state, release),
    context,
    live: true,
    fields: {
      ...noFields,
      email: state.user.email ?? store.get("signupEmail") ?? "",
      firstname: state.user.firstname ?? store.get("signupName") ?? "",
    },
  };
}

/** As answered to this release, whichever it was taken over from. */
function ofRelease(state: State, release: string): State {
  return state.release === release ? state : { ...state, release };
}

/** Keeps the state on the device and, once there is an account, on the server. */
function createKeeping({ compiled, parts, current, set }: SessionCore) {
  const { store, api } = parts;
  let sync = syncOf(store);
  let saver: Promise<Saving> | null = null;

  function write() {
    keepState(store, current().state, sync);
    // Where this questionnaire was begun here stays, also when a later definition begins elsewhere.
    if (store.get("questionnaireVersion") !== compiled.definition.id || store.get("questionnaireRoot") === null)
      store.set("questionnaireRoot", String(compiled.definition.initialQuestion));
    store.set("questionnaireVersion", compiled.definition.id);
    if (store.get("theme") === null) store.set("theme", compiled.definition.theme);
  }

  function keep() {
    const { state } = current();
    const other = readState(store);
    // Only answers take the place of answers: a version that is merely looked at leaves those of another one, and gives them the visitor's id.
    if (other !== null && other.id !== compiled.definition.id && other.selectedOptions.length > 0 && !begun(state)) {
      const user = { ...other.user, uuid: other.user.uuid ?? state.user.uuid };
      return keepState(store, { ...other, user }, syncOf(store));
    }
    write();
    if (state.signupDone) void saving().then((there) => there.changed(), forLater);
  }

  /** A module that did not come is asked for again with the next change; the device has the state. */
  function forLater() {
    saver = null;
  }

  function saving(): Promise<Saving> {
    saver ??= parts.saving().then(({ createSaving }) =>
      createSaving({
        compiled,
        store,
        api,
        state: () => current().state,
        context: () => current().context,
        sync,
        keepSync(now) {
          sync = now;
          write();
        },
        replace(state) {
          set({ state });
          write();
        },
        goTo: parts.goTo,
        release: parts.release,
        leaveForRelease(state, savedAt) {
          keepSavedState(store, state, savedAt);
          parts.leaveForRelease(state.currentQuestionId, state.release);
        },
      }),
    );
    return saver;
  }

  return {
    keep,
    adopt(state: State, savedAt?: string) {
      // An answer that led to the login is not waited for any longer.
      set({ state: mergeState(compiled, state), busy: false, problem: null });
      write();
      void saving().then((there) => there.adopted(savedAt), forLater);
    },
    flush: (leaving: boolean) =>
      current().state.signupDone ? saving().then((there) => there.flush(leaving), forLater) : Promise.resolve(),
    catchUp: (moving: boolean) => saving().then((there) => there.catchUp(moving)),
  };
}

/** The sign-up fields and what is said about them. */
function createFields({ parts, current, set }: SessionCore) {
  /** Fields of this question that were left once. */
  let left = new Set<keyof SignupFields>();

  async function judge(field: keyof SignupFields) {
    // Without a connection nothing is said yet: the answer is checked again.
    const here = left;
    const submitting = await parts.submitting().catch(() => null);
    if (submitting === null || here !== left) return;
    set({ errors: submitting.judgeField(field, current()) });
  }

  return {
    setField(field: keyof SignupFields, value: string) {
      set({ fields: { ...current().fields, [field]: value }, problem: null });
      // With each key what is said is judged again; before the field was left for the first time nothing is said (decision 064).
      if (left.has(field) || current().errors[field] !== undefined) void judge(field);
    },
    blurField(field: keyof SignupFields) {
      left.add(field);
      void judge(field);
    },
    /** For the next question every field is untouched again; the password is forgotten once it was used. */
    leaveAll() {
      left = new Set();
      const { state, fields, errors } = current();
      if (state.signupDone && fields.password !== "") set({ fields: { ...fields, password: "" } });
      if (Object.keys(errors).length > 0) set({ errors: {} });
    },
  };
}

/** Saves the schedule as soon as there are both a schedule and an account (spec 001 §7). */
async function saveSchedule(api: Api, { studySchedule, user: { uuid }, days }: State) {
  if (studySchedule === undefined || uuid === undefined) return;
  try {
    await api.call("studySchedule", { body: { ...studySchedule, uuid, days: [...days] } });
  } catch {
    // It is part of the saved state as well, which is sent again until it arrives.
  }
}

async function choose(
  { compiled, parts, current, set }: SessionCore,
  dispatch: (event: QuestionnaireEvent) => void,
  questionId: number,
  optionId: number,
) {
  /** What the engine cannot follow (spec 000 §5) is told to the visitor and, thrown on, to the operator. */
  function answer() {
    try {
      dispatch({ type: "answer", questionId, optionId });
    } catch (error) {
      set({ problem: "unexpected" });
      throw error;
    }
  }

  if (current().busy) return;
  set({ busy: true, problem: null, errors: {}, tried: { questionId, optionId } });
  if (!asksForSomething(compiled, questionId)) {
    // Most questions send nothing, so the answer counts at once.
    set({ busy: false });
    return answer();
  }
  const submitting = await parts.submitting().catch(() => null);
  // The module did not load, so there is no connection.
  if (submitting === null) return set({ busy: false, problem: "connection" });
  const { state, context, fields } = current();
  return submitting.takeAnswer(
    { compiled, questionId, optionId, state, context, fields },
    {
      api: parts.api,
      store: parts.store,
      setUser: (user) => dispatch({ type: "setUser", user }),
      async signedUp(uuid) {
        dispatch({ type: "signedUp", uuid });
        await saveSchedule(parts.api, current().state);
      },
      answered: answer,
      set,
      report: parts.report,
      leaveTo: parts.leaveTo,
    },
  );
}

/** A questionnaire that has no such view is told to the operator: whoever answers it goes on, unfinished. */
function isProgramView({ compiled, parts }: SessionCore, questionId: number, state: State, context: Context): boolean {
  try {
    return finalProgramView(compiled, state, context) === questionId;
  } catch (error) {
    parts.report(error);
    return false;
  }
}

function asksForSomething(compiled: CompiledQuestionnaire, questionId: number): boolean {
  return compiled.question(questionId)?.contents.some(({ type }) => type.startsWith("signup")) === true;
}

function begun({ selectedOptions, signupDone }: State): boolean {
  return selectedOptions.length > 0 || signupDone;
}
