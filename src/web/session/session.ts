/** The visitor's session: runs the pure engine, stores its state and carries out its effects. */
import { createListeners } from "../listeners.ts";
import type { SignupFields } from "#blocks/block.ts";
import { replayAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { finalProgramView } from "#core/questionnaire/next.ts";
import { mergeState } from "#core/questionnaire/saved.ts";
import type { State, StateUser } from "#core/questionnaire/state.ts";
import { type Effect, initialState, type QuestionnaireEvent, step } from "#core/questionnaire/step.ts";
import type { Saving } from "./saving.ts";
import type { PageEvent } from "./event.ts";
import type { Api } from "../api/client.ts";
import { linkEvents, pageEvent, mergeLinkAnswers } from "./linkAnswers.ts";
import type { Problem, SubmitOutcome } from "./submit.ts";
import { identifyStored, storedProgress, storedSync, storeServerState, storeState, syncOf } from "../device/storedState.ts";
import { accountEmail } from "../device/accountAddress.ts";
import { localDate } from "../device/device.ts";
import { isSignedIn, type KeyValueStore, storedFields } from "../device/storage.ts";

export interface Snapshot {
  readonly state: State;
  readonly context: Context;
  /** False on the server and until hydration. */
  readonly live: boolean;
  readonly fields: SignupFields;
  /** Text keys of the error messages at the fields. */
  readonly errors: Readonly<Partial<Record<keyof SignupFields, string>>>;
  /** An answer is being submitted. */
  readonly busy: boolean;
  /** Why the last answer failed; the typed fields remain. */
  readonly problem: Problem | null;
  /** The last submitted answer. */
  readonly tried?: { readonly questionId: number; readonly optionId: number };
}

export interface Session {
  readonly compiled: CompiledQuestionnaire;
  /** The questionnaire's release. */
  readonly release: string;
  readonly subscribe: (changed: () => void) => () => void;
  readonly snapshot: () => Snapshot;
  /** The snapshot that the server rendered, the same for everybody. Hydration starts from it. */
  readonly rendered: () => Snapshot;
  /** Takes over the answers in the page's link and counts the new ones. To be called once, first. */
  readonly arrive: () => void;
  /** Takes over the answers that another page of this visitor's has stored meanwhile. After sign-up `catchUp` does it, by way of the server. */
  readonly takeStored: (stored: State | null) => void;
  readonly dispatch: (event: QuestionnaireEvent) => void;
  readonly setContext: (context: Partial<Context>) => void;
  readonly setField: (field: keyof SignupFields, value: string) => void;
  readonly blurField: (field: keyof SignupFields) => void;
  /** The submit flow of spec 001 §4. Resolves when the answer is accepted or refused. */
  readonly choose: (questionId: number, optionId: number) => Promise<void>;
  /** To be called when the login is shown because the account's session is over. An answer whose call gets no result then no longer counts as under way. */
  readonly interrupted: () => void;
  /** Takes over a state after login. `savedAt` is given if it is the server's state unchanged. */
  readonly adopt: (state: State, savedAt?: string) => void;
  /** To be called when a question is shown. The program view after the last question finishes the questionnaire (spec 000 §4). */
  readonly shown: (questionId: number) => void;
  /** Saves pending changes at once. `quietly`: if the session turns out to be over, the login is not shown. */
  readonly flush: (leaving: boolean, quietly?: boolean) => Promise<void>;
  /** Takes over changes of another device. `moving` allows this page to go to another question. */
  readonly catchUp: (moving: boolean) => Promise<void>;
}

/** The session's connections to its surroundings. */
export interface SessionParts {
  readonly store: KeyValueStore;
  /** The state that the device has stored; null on a first visit. */
  readonly stored: State | null;
  /** The answers in the page's link that follow from the stored ones only (`returning.ts`). */
  readonly laterAnswers: State["selectedOptions"];
  readonly api: Api;
  readonly track: (event: PageEvent) => void;
  /** Called with the state before and after each action of the visitor, not for states from elsewhere. */
  readonly moved?: (before: State, after: State) => void;
  readonly goTo: (questionId: number) => void;
  readonly leaveTo: (outcome: Exclude<SubmitOutcome, "answered">) => void;
  readonly goHome: () => void;
  readonly now: () => Date;
  /** Reports an unexpected error to the operator. The visit goes on. */
  readonly report: (error: unknown) => void;
  /** Imports the sign-up module. */
  readonly submitting: () => Promise<typeof import("./submit.ts")>;
  /** Imports the module that saves the state on the server. Called once there is an account. */
  readonly saving: () => Promise<typeof import("./saving.ts")>;
  /** The device's country, platform and date. */
  readonly context: Context;
  readonly release: string;
  /** Whether the page's address names the questionnaire's version. Home, login and legal pages only have the locale's default. */
  readonly isOfVersion: () => boolean;
  /** Loads the state's question in its version, and in the given release. */
  readonly leaveFor: (state: State, release?: string) => void;
}

const noFields: SignupFields = { firstname: "", email: "", password: "" };
const fieldsOf = ({ firstname = "", email = "" }: StateUser): SignupFields => ({ ...noFields, firstname, email });

/** The snapshot for a link's answers. An invalid code counts up to its first invalid answer. */
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
    takeStored: nothing,
    dispatch: nothing,
    setContext: nothing,
    setField: nothing,
    blurField: nothing,
    choose: nothingAsync,
    interrupted: nothing,
    shown: nothing,
    adopt: nothing,
    flush: nothingAsync,
    catchUp: nothingAsync,
  };
}

/** Shared by the parts of a session. */
interface SessionCore {
  readonly compiled: CompiledQuestionnaire;
  readonly parts: SessionParts;
  readonly current: () => Snapshot;
  readonly set: (change: Partial<Snapshot>) => void;
}

export function createSession(compiled: CompiledQuestionnaire, rendered: Snapshot, parts: SessionParts): Session {
  const { subscribe, notify } = createListeners();
  let current = startingSnapshot(compiled, rendered, parts);
  function set(change: Partial<Snapshot>) {
    current = { ...current, ...change, ...(change.state && { state: markedWithRelease(change.state, parts.release) }) };
    notify();
  }
  const core: SessionCore = { compiled, parts, current: () => current, set };
  const { persist, ...persistence } = createPersistence(core);
  const { resetFields, ...fields } = createFields(core);

  function perform(effect: Effect) {
    switch (effect.type) {
      case "save":
        return persist();
      case "track":
        return parts.track(pageEvent(effect));
      case "goTo":
        return parts.goTo(effect.questionId);
      case "goHome":
        return parts.goHome();
    }
  }

  /** The link's events. The page first shows a question of theirs where its answer is filled in. */
  let told: readonly PageEvent[] = [];
  function arrive() {
    const { state: kept, context } = current;
    const { state, linked } = arrivedAt(core, rendered.state);
    if (state === kept) {
      if (!looksAtOther(core)) storeVersion(core);
      return;
    }
    set({ state });
    persist();
    parts.moved?.(kept, state);
    (told = linkEvents(compiled, kept, linked, context)).forEach(parts.track);
  }

  function dispatch(event: QuestionnaireEvent) {
    // A page can stay open for days.
    const today = localDate(parts.now());
    if (today !== current.context.today) set({ context: { ...current.context, today } });
    if (comesToSignup(core, event)) {
      persistence.adopt(signedInState(core));
      void saveSchedule(parts, current.state);
    }
    const before = current.state;
    const { state, effects } = step(compiled, before, event, current.context);
    const paceChanged = state.studySchedule !== before.studySchedule || state.days !== before.days;
    set({ state });
    parts.moved?.(before, state);
    effects.forEach(perform);
    if (paceChanged && state.signupDone) void saveSchedule(parts, current.state);
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
    interrupted: () => set({ busy: false }),
    shown(questionId) {
      resetFields();
      // A page without a version, such as the raffle's, may show the question in place, after `arrive`.
      if (!looksAtOther(core)) storeVersion(core);
      if (!tellsOf(told, questionId)) parts.track({ eventType: "QuestionnaireQuestionShown", payload: { questionId } });
      told = [];
      if (endsAt(core, questionId)) dispatch({ type: "finish", at: parts.now().toISOString() });
    },
    ...persistence,
  };
}

const tellsOf = (events: readonly PageEvent[], questionId: number) => events.some(({ payload }) => payload["questionId"] === questionId);

/** The state after the answers of the page's link, and the link's answers. */
function arrivedAt({ compiled, parts: { laterAnswers }, current }: SessionCore, linked: State) {
  const { state, context } = current();
  if (laterAnswers.length === 0) return { state: mergeLinkAnswers(compiled, state, linked, context), linked };
  const answered = laterAnswers.reduce((before, answer) => step(compiled, before, { type: "answer", ...answer }, context).state, state);
  return { state: answered, linked: { ...initialState(compiled), selectedOptions: laterAnswers } };
}

function startingSnapshot(
  compiled: CompiledQuestionnaire,
  rendered: Snapshot,
  { store, stored, context, release }: SessionParts,
): Snapshot {
  const state = startingState(compiled, stored);
  return {
    ...rendered,
    state: markedWithRelease(state, release),
    context,
    live: true,
    fields: fieldsOf({
      email: state.user.email ?? store.get("signupEmail") ?? "",
      firstname: state.user.firstname ?? store.get("signupName") ?? "",
    }),
  };
}

/** The stored state, or the initial one for whoever has none in this version. */
function startingState(compiled: CompiledQuestionnaire, stored: State | null): State {
  return stored?.id === compiled.definition.id
    ? mergeState(compiled, stored)
    : { ...initialState(compiled), user: { uuid: stored?.user.uuid } };
}

/**
 * The page's state after another page has stored its own. Before sign-up, it is the stored state. If the stored answers are in another
 * version, this page keeps its own answers; the next answer given here makes this version the visitor's again.
 */
function besideStored(compiled: CompiledQuestionnaire, ours: State, stored: State | null): State {
  const isOther = stored && stored.id !== ours.id && hasBegun(ours);
  return ours.signupDone || isOther ? ours : startingState(compiled, stored);
}

/** The state, marked as answered in this release. */
function markedWithRelease(state: State, release: string): State {
  return state.release === release ? state : { ...state, release };
}

/** Stores the version. A page without one in its address chooses none for the visitor, until an answer or a login does. */
function storeVersion({ compiled: { definition }, parts: { store, isOfVersion }, current }: SessionCore): void {
  if (!isOfVersion() && !hasBegun(current().state)) return;
  // The first question on this device is stored once: a later definition may begin elsewhere.
  if (store.get("questionnaireVersion") !== definition.id || store.get("questionnaireRoot") === null)
    store.set("questionnaireRoot", String(definition.initialQuestion));
  store.set("questionnaireVersion", definition.id);
  if (store.get("theme") === null) store.set("theme", definition.theme);
}

/** Whether the visitor only looks at this version and another one's answers are stored. */
function looksAtOther({ compiled, parts, current }: SessionCore): boolean {
  const { id: version } = compiled.definition;
  return !hasBegun(current().state) && (storedProgress(parts.store)?.id ?? version) !== version;
}

/** Stores the state on the device and, once there is an account, on the server. */
function createPersistence(core: SessionCore) {
  const { compiled, parts, current, set } = core;
  const { store, api } = parts;
  // The record of another version's state says nothing about this one.
  let sync = parts.stored?.id === compiled.definition.id ? storedSync(store) : undefined;
  const described = current().state;
  let saver: Promise<Saving> | null = null;

  function write() {
    storeState(store, current().state, sync);
    storeVersion(core);
  }

  function persist() {
    const { state } = current();
    // Looking at another version must not overwrite stored answers: they stay, and only get the visitor's id.
    if (looksAtOther(core)) return identifyStored(store, state.user.uuid);
    // At once: the page may end before the module that saves has loaded, and the next login keeps what is unsaved.
    if (state.signupDone) sync = { synced: 0, ...sync, unsaved: true };
    write();
    // Logged out before it has loaded: there is nothing to save any more.
    if (state.signupDone) void saving().then((loaded) => current().state.signupDone && loaded.changed(), retryLater);
  }

  /** If the module does not load, the next change tries again. The device has the state. */
  function retryLater() {
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
        described,
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
        leaveFor(state, savedAt, release) {
          storeServerState(store, state, savedAt);
          parts.leaveFor(state, release);
        },
      }),
    );
    return saver;
  }

  return {
    persist,
    takeStored: (stored: State | null) => set({ state: besideStored(compiled, current().state, stored) }),
    adopt(state: State, savedAt?: string) {
      const { signupDone, user } = current().state;
      const isOthers = signupDone && user.uuid !== state.user.uuid;
      // An answer that led to the login is no longer being submitted.
      set({ state: mergeState(compiled, state), busy: false, problem: null, ...(isOthers && { fields: fieldsOf(state.user) }) });
      // The record describes the state before. It is replaced at once, because the page may end before the saving module has loaded.
      sync = syncOf(current().state, savedAt);
      write();
      // A logout takes over the initial state, then clears the device: nothing is written after that.
      if (state.signupDone) void saving().then((loaded) => loaded.adopted(savedAt), retryLater);
    },
    flush: (leaving: boolean, quietly = false) =>
      current().state.signupDone ? saving().then((loaded) => loaded.flush(leaving, quietly), retryLater) : Promise.resolve(),
    catchUp: (moving: boolean) => saving().then((loaded) => loaded.catchUp(moving)),
  };
}

/** The sign-up fields and their error messages. */
function createFields({ parts, current, set }: SessionCore) {
  /** This question's fields that have lost focus once. */
  let blurred = new Set<keyof SignupFields>();

  async function validate(field: keyof SignupFields) {
    // Without a connection no message is shown yet: submitting the answer validates again.
    const here = blurred;
    const submitting = await parts.submitting().catch(() => null);
    if (submitting === null || here !== blurred) return;
    set({ errors: submitting.validateField(field, current()) });
  }

  return {
    setField(field: keyof SignupFields, value: string) {
      set({ fields: { ...current().fields, [field]: value }, problem: null });
      // Each key validates the field again, but not before it has lost focus for the first time (decision 064).
      if (blurred.has(field) || current().errors[field] !== undefined) void validate(field);
    },
    blurField(field: keyof SignupFields) {
      blurred.add(field);
      void validate(field);
    },
    /** Resets the fields and errors for the next question. A used password is cleared. */
    resetFields() {
      blurred = new Set();
      const { state, fields, errors, problem } = current();
      if (state.signupDone && fields.password !== "") set({ fields: { ...fields, password: "" } });
      if (Object.keys(errors).length > 0 || problem !== null) set({ errors: {}, problem: null });
    },
  };
}

/** Whether a signed-in visitor would come to the sign-up: with answers in another version than the account's saved ones (decision 034). */
function comesToSignup({ compiled, parts: { store }, current }: SessionCore, event: QuestionnaireEvent): boolean {
  const { state, context } = current();
  if (event.type !== "answer" || state.signupDone || !isSignedIn(store)) return false;
  const { effects } = step(compiled, state, event, context);
  return effects.some((effect) => effect.type === "goTo" && compiled.nodes[effect.questionId]?.isSignup === true);
}

/** The answers, as the signed-in account's. */
function signedInState({ parts: { store }, current }: SessionCore): State {
  const { state } = current();
  const { uuid } = storedFields(store, "config");
  const [email, firstname] = [accountEmail(store), store.get("signupName")];
  const known = { ...(email !== null && { email }), ...(firstname !== null && { firstname }) };
  return { ...state, signupDone: true, user: { ...(typeof uuid === "string" ? { uuid } : {}), ...known } };
}

/** Saves the schedule once there is both a schedule and an account (spec 001 §7). Without a session the call would lead to the login. */
async function saveSchedule({ api, store }: SessionParts, { studySchedule, user: { uuid }, days }: State) {
  if (studySchedule === undefined || uuid === undefined || !isSignedIn(store)) return;
  try {
    await api.call("studySchedule", { body: { ...studySchedule, uuid, days: [...days] } });
  } catch {
    // The saved state has the schedule too, and is retried until it arrives.
  }
}

async function choose(
  { compiled, parts, current, set }: SessionCore,
  dispatch: (event: QuestionnaireEvent) => void,
  questionId: number,
  optionId: number,
) {
  /** An engine error (spec 000 §5) is shown to the visitor and rethrown for the operator. */
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
  if (!hasSignupBlock(compiled, questionId)) {
    // Most questions send nothing: their answer counts at once.
    set({ busy: false });
    return answer();
  }
  const submitting = await parts.submitting().catch(() => null);
  // The module did not load: there is no connection.
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
        await saveSchedule(parts, current().state);
      },
      answered: answer,
      set,
      report: parts.report,
      leaveTo: parts.leaveTo,
    },
  );
}

/** A questionnaire without a program view is reported to the operator. Its visitor goes on but never finishes. */
function endsAt({ compiled, parts, current }: SessionCore, questionId: number): boolean {
  const { state, context } = current();
  try {
    return state.signupDone && !state.finished && finalProgramView(compiled, state, context) === questionId;
  } catch (error) {
    parts.report(error);
    return false;
  }
}

function hasSignupBlock(compiled: CompiledQuestionnaire, questionId: number): boolean {
  return compiled.question(questionId)?.contents.some(({ type }) => type.startsWith("signup")) === true;
}

function hasBegun({ selectedOptions, signupDone }: State): boolean {
  return selectedOptions.length > 0 || signupDone;
}
