/**
 * Keeps a signed-up visitor's state on the server: changes are gathered, tried again until they arrive, and given again on top
 * when another device was ahead (spec 001 §4; `newerExists`). Loaded with signing up or coming back.
 */
import * as codes from "#core/errorCodes.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import { commonAnswerCount } from "#core/questionnaire/merge.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import * as v from "valibot";
import { accountOf } from "../api/claims.ts";
import type { Api } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import type { Sync } from "../device/keptState.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";
import { meet } from "./meeting.ts";
import type { StateOfRelease } from "./staying.ts";

/** How long changes are gathered before they are saved, ms. */
const gatherFor = 400;
/** The wait after a failed try doubles from the first to the last, ms. */
const retryAfter = { first: 5_000, last: 60_000 } as const;

export interface SavingParts {
  readonly compiled: CompiledQuestionnaire;
  readonly store: KeyValueStore;
  readonly api: Api;
  readonly state: () => State;
  readonly context: () => Context;
  /** As the device kept it. */
  readonly sync: Sync | undefined;
  readonly keepSync: (sync: Sync) => void;
  /** Takes a state over and keeps it, without another `changed`. */
  readonly replace: (state: State) => void;
  readonly goTo: (questionId: number) => void;
  readonly release: string;
  /** Keeps a state of another release for the page that is asked for as that release. */
  readonly leaveForRelease: (state: StateOfRelease, savedAt: string | undefined) => void;
}

export interface Saving {
  /** The session's state is another one now. */
  readonly changed: () => void;
  /** The state came from the server, at that save. */
  readonly adopted: (savedAt: string | undefined) => void;
  /** Saves what is waiting, at once. */
  readonly flush: (leaving: boolean) => Promise<void>;
  /** Takes over what another device did; `moving` when the page may go to another question for it. */
  readonly catchUp: (moving: boolean) => Promise<void>;
}

/** What the device remembers of the server's copy. */
interface SyncRecord {
  readonly now: () => Sync;
  readonly remember: (change: Partial<Sync>) => void;
}

function createRecord({ sync: kept, keepSync }: SavingParts): SyncRecord {
  let sync = kept ?? { synced: 0, unsaved: false };
  return {
    now: () => sync,
    remember(change) {
      sync = { ...sync, ...change };
      keepSync(sync);
    },
  };
}

export function createSaving(parts: SavingParts): Saving {
  const { compiled, store, api } = parts;
  const record = createRecord(parts);
  const { now, remember } = record;
  const sender = createSender(parts, record, () => catchUp(true));
  /** The state that the record is about. */
  let last = parts.state();

  async function catchUp(moving: boolean): Promise<void> {
    const uuid = accountOf(store.get("token"));
    if (uuid === null) return;
    const theirs = await api.call("questionnaireGet", { query: { uuid } });
    const ours = parts.state();
    const meeting = meet({ compiled, release: parts.release, context: parts.context(), store, uuid, ours, sync: now(), theirs });
    if (meeting.kind === "lookedAt") return;
    // A page that may not go elsewhere leaves it to the next one.
    if (meeting.kind === "otherRelease") return moving ? parts.leaveForRelease(meeting.state, theirs.savedAt) : undefined;
    if (meeting.kind === "startOver") {
      remember({ savedAt: theirs.savedAt, synced: 0, unsaved: true });
      return sender.later(0);
    }
    if (meeting.kind === "ours" && now().unsaved) return sender.later(0);
    if (meeting.kind === "take") {
      const { state, synced, unsaved, arrived } = meeting;
      store.remove("questionnaireTarget");
      parts.replace(state);
      last = state;
      remember({ savedAt: theirs.savedAt, synced, unsaved });
      if (unsaved) sender.later(0);
      if (moving && arrived) return parts.goTo(state.currentQuestionId);
    }
    const { currentQuestionId } = parts.state();
    if (moving && currentQuestionId !== ours.currentQuestionId) parts.goTo(currentQuestionId);
  }

  return {
    changed() {
      const state = parts.state();
      remember({ synced: Math.min(now().synced, commonAnswerCount(last, state)), unsaved: true });
      last = state;
      sender.later(gatherFor);
    },
    adopted(savedAt) {
      last = parts.state();
      remember({ savedAt, synced: savedAt === undefined ? 0 : last.selectedOptions.length, unsaved: true });
      sender.later(gatherFor);
    },
    flush: sender.flush,
    catchUp,
  };
}

/** Saves what is unsaved: one try after the other, so that each is built on the one before. */
function createSender({ compiled, store, api, state }: SavingParts, { now, remember }: SyncRecord, catchUp: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait: number = retryAfter.first;
  /** The last save was refused because another device was ahead. */
  let behind = false;
  let sending: Promise<void> = Promise.resolve();

  function later(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(false), ms);
  }

  async function flush(leaving: boolean): Promise<void> {
    clearTimeout(timer);
    if (!now().unsaved || !isSignedIn(store)) return;
    // A page that goes away cannot wait.
    sending = leaving ? send(true) : sending.then(() => send(false));
    await sending;
  }

  async function send(leaving: boolean): Promise<void> {
    if (!now().unsaved) return;
    const sent = state();
    remember({ unsaved: false });
    try {
      const { savedAt } = await api.call("questionnairePost", {
        body: { state: v.parse(stateSchema, savedState(sent)), userLevel: userLevel(compiled, sent), savedAt: now().savedAt },
        leaving,
      });
      wait = retryAfter.first;
      behind = false;
      store.remove("questionnaireReset");
      remember({ savedAt, synced: commonAnswerCount(sent, state()) });
    } catch (error) {
      remember({ unsaved: true });
      await tryAgain(error);
    }
  }

  async function tryAgain(error: unknown): Promise<void> {
    // What the server does not take as it is will not be better in a minute; the next change tries again.
    if (error instanceof ApiError && error.status < 500 && error.code !== codes.tooMany && error.code !== codes.newerExists) return;
    if (error instanceof ApiError && error.code === codes.newerExists) {
      const caughtUp = await catchUp().then(
        () => true,
        () => false,
      );
      // Only the first refusal is tried again at once. A save built on the server's own answer that is refused too would loop.
      const atOnce = caughtUp && !behind;
      behind = true;
      if (atOnce) return;
    }
    later(wait);
    wait = Math.min(2 * wait, retryAfter.last);
  }

  return { later, flush };
}
