/**
 * Keeps a signed-up visitor's state on the server: changes are gathered, tried again until they arrive, and given again on top
 * when another device was ahead (spec 001 §4; error 1409). Loaded with signing up or coming back.
 */
import { isVersionName } from "#content/questionnaires/known.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { resumedState } from "#core/questionnaire/destination.ts";
import { userLevel } from "#core/questionnaire/level.ts";
import { agreeing, onTopOf } from "#core/questionnaire/merge.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { type State, stateSchema } from "#core/questionnaire/state.ts";
import { targetIn } from "#core/links.ts";
import * as v from "valibot";
import { type Api, ApiError } from "../api/client.ts";
import { isSignedIn, type KeyValueStore, storedStart } from "../session/storage.ts";

/** How long changes are gathered before they are saved, ms. */
const gatherFor = 400;
/** The wait after a failed try doubles from the first to the last, ms. */
const retryAfter = { first: 5_000, last: 60_000 } as const;

/** What the device remembers beside the state. */
const syncSchema = v.object({
  /** The server's save that ours is built on. */
  savedAt: v.optional(v.string()),
  /** How many of the answers the server has. */
  synced: v.number(),
  unsaved: v.boolean(),
});
export type Sync = v.InferOutput<typeof syncSchema>;

export interface SavingParts {
  readonly compiled: CompiledQuestionnaire;
  readonly store: KeyValueStore;
  readonly api: Api;
  readonly state: () => State;
  readonly context: () => Context;
  /** As the device kept it: not checked yet. */
  readonly sync: unknown;
  readonly keepSync: (sync: Sync) => void;
  /** Takes a state over and keeps it, without another `changed`. */
  readonly replace: (state: State) => void;
  readonly goTo: (questionId: number) => void;
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

export function createSaving(parts: SavingParts): Saving {
  const { compiled, store, api } = parts;
  const parsed = v.safeParse(syncSchema, parts.sync);
  let sync: Sync = parsed.success ? parsed.output : { synced: 0, unsaved: false };
  let last = parts.state();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait: number = retryAfter.first;
  /** The last save was refused because another device was ahead. */
  let behind = false;
  let sending: Promise<void> = Promise.resolve();

  function remember(change: Partial<Sync>) {
    sync = { ...sync, ...change };
    parts.keepSync(sync);
  }

  function later(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(false), ms);
  }

  async function flush(leaving: boolean): Promise<void> {
    clearTimeout(timer);
    if (!sync.unsaved || !isSignedIn(store)) return;
    // One after the other, so that each is built on the one before; a page that goes away cannot wait.
    sending = leaving ? send(true) : sending.then(() => send(false));
    await sending;
  }

  async function send(leaving: boolean): Promise<void> {
    if (!sync.unsaved) return;
    const sent = parts.state();
    remember({ unsaved: false });
    try {
      const { savedAt } = await api.call("questionnairePost", {
        body: { state: v.parse(stateSchema, savedState(sent)), userLevel: userLevel(compiled, sent), savedAt: sync.savedAt },
        leaving,
      });
      wait = retryAfter.first;
      behind = false;
      store.remove("questionnaireReset");
      remember({ savedAt, synced: agreeing(sent, parts.state()) });
    } catch (error) {
      remember({ unsaved: true });
      // What the server does not take as it is will not be better in a minute; the next change tries again.
      if (error instanceof ApiError && error.status < 500 && error.code !== 1429 && error.code !== 1409) return;
      if (error instanceof ApiError && error.code === 1409) {
        const caughtUp = await catchUp(true).then(
          () => true,
          () => false,
        );
        // Refused again although it was built on what the server said that it has: at once it would be refused for ever.
        const atOnce = caughtUp && !behind;
        behind = true;
        if (atOnce) return;
      }
      later(wait);
      wait = Math.min(2 * wait, retryAfter.last);
    }
  }

  async function catchUp(moving: boolean): Promise<void> {
    const uuid = accountOf(store.get("token"));
    if (uuid === null) return;
    const { state: theirs, savedAt } = await api.call("questionnaireGet", { query: { uuid } });
    const target = store.get("questionnaireTarget");
    const saved = theirs ?? "none";
    const ours = parts.state();
    if (store.get("questionnaireReset") === "1") {
      // Started over on purpose: that goes over what was saved before.
      remember({ savedAt, synced: 0, unsaved: true });
      return later(0);
    }
    const isElsewhere = typeof saved === "object" && saved.id !== ours.id && isVersionName(saved.id);
    // A version that is merely looked at takes no answers from the one they were given in.
    if (isElsewhere && target === null && ours.user.uuid === uuid && !ours.signupDone && ours.selectedOptions.length === 0) return;
    if (target !== null || ours.user.uuid !== uuid) {
      // Just come in, from a page of another version; whatever is here is not theirs.
      store.remove("questionnaireTarget");
      const email = store.get("signupEmail");
      const firstname = store.get("signupName");
      const user = { uuid, ...(email === null ? {} : { email }), ...(firstname === null ? {} : { firstname }) };
      const start = storedStart(store);
      const state = resumedState({ saved, compiled, context: parts.context(), user, target: targetIn(target), start });
      take(state, savedAt, saved === "none" || saved === "invalid" || saved.id !== state.id);
      // The page that sent here named only the questionnaire.
      if (moving && target !== null) return parts.goTo(state.currentQuestionId);
    } else if (typeof saved === "object" && savedAt !== undefined && savedAt !== sync.savedAt) {
      const merged = onTopOf(compiled, saved, ours, sync.synced, parts.context());
      take(merged, savedAt, agreeing(merged, saved) < merged.selectedOptions.length || saved.id !== merged.id);
      remember({ synced: agreeing(merged, saved) });
    } else if (sync.unsaved) return later(0);
    const { currentQuestionId } = parts.state();
    if (moving && currentQuestionId !== ours.currentQuestionId) parts.goTo(currentQuestionId);
  }

  function take(state: State, savedAt: string | undefined, unsaved: boolean) {
    parts.replace(state);
    last = state;
    remember({ savedAt, synced: unsaved ? 0 : state.selectedOptions.length, unsaved });
    if (unsaved) later(0);
  }

  return {
    changed() {
      const state = parts.state();
      remember({ synced: Math.min(sync.synced, agreeing(last, state)), unsaved: true });
      last = state;
      later(gatherFor);
    },
    adopted(savedAt) {
      last = parts.state();
      remember({ savedAt, synced: savedAt === undefined ? 0 : last.selectedOptions.length, unsaved: true });
      later(gatherFor);
    },
    flush,
    catchUp,
  };
}

const claimsSchema = v.pipe(v.string(), v.parseJson(), v.object({ sub: v.string() }));

/** Whose an access token is; the server judges it, this only reads it. */
export function accountOf(token: string | null): string | null {
  try {
    const claims = v.safeParse(claimsSchema, atob((token?.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
    return claims.success ? claims.output.sub : null;
  } catch {
    // Not base64: nobody's.
    return null;
  }
}
