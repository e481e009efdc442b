/**
 * Saves a signed-up visitor's state on the server: debounces changes, retries failed saves, and merges when another device saved first
 * (spec 001 §4; `newerExists`). Loaded at sign-up or login.
 */
import * as codes from "#core/errorCodes.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import { commonAnswerCount } from "#core/questionnaire/merge.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import * as v from "valibot";
import { accountOf, sessionOf } from "../api/claims.ts";
import type { Api } from "../api/client.ts";
import { ApiError } from "../api/request.ts";
import { storedSync, type Sync, syncOf } from "../device/storedState.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";
import { reconcile } from "./reconcile.ts";

/** Debounce time before a save, ms. */
const gatherFor = 400;
/** Retry delays, ms: from `first`, doubling up to `last`. */
const retryAfter = { first: 5_000, last: 60_000 } as const;
/** Refusals (4xx) after which the same save may succeed. `unexpected`: the answer is not our server's. */
const retriedCodes: ReadonlySet<number> = new Set([codes.tooMany, codes.newerExists, codes.unexpected]);

export interface SavingParts {
  readonly compiled: CompiledQuestionnaire;
  readonly store: KeyValueStore;
  readonly api: Api;
  readonly state: () => State;
  readonly context: () => Context;
  /** The sync record stored on the device. */
  readonly sync: Sync | undefined;
  /** The state that the record describes. Saving loads with the first change, so the current one may be newer. */
  readonly described: State;
  readonly keepSync: (sync: Sync) => void;
  /** Replaces and stores the state without calling `changed`. */
  readonly replace: (state: State) => void;
  readonly goTo: (questionId: number) => void;
  readonly release: string;
  /** Stores a state of another version or release, and loads its page, in the given release. */
  readonly leaveFor: (state: State, savedAt: string | undefined, release?: string) => void;
}

export interface Saving {
  /** To be called after each change of the session's state. */
  readonly changed: () => void;
  /** To be called when the session takes over the server's state from that save. */
  readonly adopted: (savedAt: string | undefined) => void;
  /** Saves pending changes at once. `quietly`: if the session turns out to be over, the login is not shown. */
  readonly flush: (leaving: boolean, quietly?: boolean) => Promise<void>;
  /** Takes over changes of another device. `moving` allows the page to go to another question. */
  readonly catchUp: (moving: boolean) => Promise<void>;
}

/** The device's record of the server's copy. */
interface SyncRecord {
  readonly now: () => Sync;
  readonly remember: (change: Partial<Sync>) => void;
  /** How often there was something new to save. */
  readonly edition: () => number;
  /**
   * Whether a state that is based on no save may be older than the server's, which would take it for the newest. A state from an earlier page may be,
   * and so may one whose save failed: another tab may have saved since.
   */
  readonly isDoubtful: () => boolean;
  readonly doubt: (doubts: boolean) => void;
}

function createRecord({ sync: kept, keepSync, described }: SavingParts): SyncRecord {
  let sync = kept ?? { synced: 0, unsaved: false };
  let edition = 0;
  let doubts = described.signupDone;
  return {
    now: () => sync,
    edition: () => edition,
    isDoubtful: () => doubts && sync.savedAt === undefined,
    doubt: (now) => void (doubts = now),
    remember(change) {
      if (change.unsaved === true) edition += 1;
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
  /** The state that the record describes. */
  let last = parts.described;

  async function catchUp(moving: boolean): Promise<void> {
    const uuid = accountOf(store.get("token"));
    if (uuid === null) return;
    const theirs = await api.call("questionnaireGet", { query: { uuid } });
    if (accountOf(store.get("token")) !== uuid) return;
    record.doubt(false);
    const ours = parts.state();
    const outcome = reconcile({ compiled, release: parts.release, context: parts.context(), store, uuid, ours, sync: now(), theirs });
    if (outcome.kind === "onlyLooking") return;
    // A page that may not navigate leaves this to the next page.
    if (outcome.kind === "otherRelease") return moving ? parts.leaveFor(outcome.state, theirs.savedAt, outcome.state.release) : undefined;
    if (outcome.kind === "otherVersion") return moving ? parts.leaveFor(outcome.state, theirs.savedAt) : undefined;
    if (outcome.kind === "startOver") {
      remember({ savedAt: theirs.savedAt, synced: 0, unsaved: true });
      return sender.schedule(0);
    }
    if (outcome.kind === "keepOurs" && now().unsaved) return sender.schedule(0);
    if (outcome.kind === "replace") {
      const { state, synced, unsaved, navigates } = outcome;
      store.remove("questionnaireTarget");
      parts.replace(state);
      last = state;
      remember({ savedAt: theirs.savedAt, synced, unsaved });
      if (unsaved) sender.schedule(0);
      if (moving && navigates) return parts.goTo(state.currentQuestionId);
    }
    const { currentQuestionId } = parts.state();
    if (moving && currentQuestionId !== ours.currentQuestionId) parts.goTo(currentQuestionId);
  }

  return {
    changed() {
      const state = parts.state();
      remember({ synced: Math.min(now().synced, commonAnswerCount(last, state)), unsaved: true });
      last = state;
      sender.schedule(gatherFor);
    },
    adopted(savedAt) {
      last = parts.state();
      record.doubt(false);
      remember(syncOf(last, savedAt));
      sender.schedule(gatherFor);
    },
    flush: sender.flush,
    catchUp,
  };
}

/** Runs work later: after a given time, or after a failure, each time later. */
function createTimer(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait: number = retryAfter.first;
  const stop = () => clearTimeout(timer);
  function schedule(ms: number) {
    stop();
    timer = setTimeout(run, ms);
  }
  return {
    stop,
    schedule,
    failed() {
      schedule(wait);
      wait = Math.min(2 * wait, retryAfter.last);
    },
    succeeded: () => void (wait = retryAfter.first),
  };
}

/** Saves unsaved changes, one request at a time, so that each is based on the previous one. */
function createSender({ compiled, store, api, state }: SavingParts, record: SyncRecord, catchUp: () => Promise<void>) {
  const { now, remember, edition } = record;
  const timer = createTimer(() => void flush(false));
  /** Another device had saved first, so the server refused the last save. */
  let conflicted = false;
  let sending: Promise<void> = Promise.resolve();
  /** The login session of `sending`. */
  let sendingIn: string | null = null;
  /** The edition in the request that a page sends when it is left. A page may be told twice that it is left, but sends the edition once. */
  let leavingWith: number | null = null;

  async function flush(leaving: boolean, quietly = false): Promise<void> {
    timer.stop();
    // Without a session, the answers belong to an account that was signed in before.
    if (!now().unsaved || !isSignedIn(store) || !state().signupDone) return;
    const login = sessionOf(store.get("token"));
    if (login !== sendingIn) {
      // A save of a session that is over may get no answer.
      sending = Promise.resolve();
      leavingWith = null;
      sendingIn = login;
    }
    // A page that is being left cannot wait.
    sending = leaving ? send(true, quietly) : sending.then(() => send(false, quietly));
    await sending;
  }

  async function send(leaving: boolean, quietly: boolean): Promise<void> {
    const [sent, sentEdition] = [state(), edition()];
    if (!now().unsaved || leavingWith === sentEdition) return;
    const account = accountOf(store.get("token"));
    // Catching up schedules a save of what the server lacks.
    if (record.isDoubtful() && !leaving && account !== null) return catchUp().catch(timer.failed);
    // Another tab has saved. A page that is being left cannot ask, and the device has that tab's state.
    if (record.isDoubtful() && leaving && storedSync(store)?.savedAt !== undefined) return timer.failed();
    if (leaving) leavingWith = sentEdition;
    try {
      const { savedAt } = await api.call("questionnairePost", {
        body: { state: v.parse(stateSchema, savedState(sent)), userLevel: userLevel(compiled, sent), savedAt: now().savedAt },
        leaving,
        quietly,
      });
      // Logged out meanwhile: the device has been cleared.
      if (!isSignedIn(store) || accountOf(store.get("token")) !== account) return;
      timer.succeeded();
      conflicted = false;
      store.remove("questionnaireReset");
      // Only now: the page may have ended before the answer, and the next one must send what the server lacks.
      remember({ savedAt, synced: commonAnswerCount(sent, state()), unsaved: edition() !== sentEdition });
    } catch (error) {
      record.doubt(true);
      await retry(error);
    } finally {
      if (leavingWith === sentEdition) leavingWith = null;
    }
  }

  async function retry(error: unknown): Promise<void> {
    // A state that the server refuses is not retried: it would be refused again. The next change saves anew.
    if (error instanceof ApiError && error.status < 500 && !retriedCodes.has(error.code)) return;
    if (error instanceof ApiError && error.code === codes.newerExists) {
      const caughtUp = await catchUp().then(
        () => true,
        () => false,
      );
      // Only the first conflict is retried at once. If a save based on the server's latest state conflicts too, retrying at once would loop.
      const atOnce = caughtUp && !conflicted;
      conflicted = true;
      if (atOnce) return;
    }
    timer.failed();
  }

  return { schedule: timer.schedule, flush };
}
