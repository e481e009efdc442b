/** Reconciles the device's state with the server's copy (spec 001 §4). */
import { isVersionName } from "#content/questionnaires/known.ts";
import type { Output } from "#core/api.ts";
import { targetIn } from "#core/links.ts";
import { resumedState } from "#core/questionnaire/destination.ts";
import { commonAnswerCount, rebaseState } from "#core/questionnaire/merge.ts";
import type { State, StateUser } from "#core/questionnaire/state.ts";
import { accountEmail } from "../device/accountAddress.ts";
import { type KeyValueStore, storedStart } from "../device/storage.ts";
import type { Sync } from "../device/storedState.ts";
import { knownVersion } from "./config.ts";
import { type ServedRelease, type StateOfRelease, staysOnRelease } from "./staying.ts";

export type Reconciliation =
  /** The visitor started over: the device's state replaces the saved one. */
  | { readonly kind: "startOver" }
  /**
   * The page has another version than the account, whose answers stay as they are. The page takes over none of them. It saves its own only once the visitor
   * reaches the sign-up (decision 034).
   */
  | { readonly kind: "onlyLooking" }
  /** No other device has saved: the device's state stays. */
  | { readonly kind: "keepOurs" }
  /** The saved state belongs to another release that the visitor stays on, and the device has nothing newer. That release's page goes to a stored target. */
  | { readonly kind: "otherRelease"; readonly state: StateOfRelease }
  /** The account has gone on in another version elsewhere. That version's page takes over: here, answers that this version lacks would be lost. */
  | { readonly kind: "otherVersion"; readonly state: State }
  | {
      readonly kind: "replace";
      readonly state: State;
      /** The number of its answers that the server has. */
      readonly synced: number;
      readonly unsaved: boolean;
      /** The previous page named only the questionnaire, so the state's current question is to be shown. */
      readonly navigates: boolean;
    };

export interface Copies extends ServedRelease {
  readonly store: KeyValueStore;
  /** The account's id. */
  readonly uuid: string;
  readonly ours: State;
  readonly sync: Sync;
  readonly theirs: Output<"questionnaireGet">;
}

export function reconcile(copies: Copies): Reconciliation {
  const { compiled, context, store, uuid, ours, sync, theirs } = copies;
  const { savedAt } = theirs;
  const saved = theirs.state ?? "none";
  // Only an account starts over at the server. Whoever did so before the login finds the account's answers.
  if (ours.signupDone && store.get("questionnaireReset") === "1") return { kind: "startOver" };
  const target = store.get("questionnaireTarget");
  const isOthers = ours.user.uuid !== uuid;
  // A retired version's account belongs to the locale's default version.
  const isOtherVersion = typeof saved === "object" && saved.id !== ours.id && knownVersion(saved.id, context.locale) !== ours.id;
  if (isOtherVersion && target === null && !ours.signupDone) return { kind: "onlyLooking" };
  const hasLoggedIn = target !== null || isOthers;
  const hasUnsaved = !hasLoggedIn && sync.unsaved;
  // A state that is based on no save, such as that of a sign-up in this version, is still to replace the server's.
  if (isOtherVersion && isVersionName(saved.id) && !hasLoggedIn && sync.savedAt !== undefined && savedAt !== sync.savedAt)
    return { kind: "otherVersion", state: { ...saved, user: { ...saved.user, ...userOf(copies) } } };
  if (typeof saved === "object" && savedAt !== sync.savedAt && !hasUnsaved && staysOnRelease(copies, saved))
    return { kind: "otherRelease", state: { ...saved, user: { ...saved.user, ...userOf(copies) } } };
  // The visitor has just logged in: the device's state is not the account's.
  if (hasLoggedIn) return afterLogin(copies, target);
  if (typeof saved !== "object" || savedAt === undefined || savedAt === sync.savedAt) return { kind: "keepOurs" };
  const state = rebaseState(compiled, saved, ours, sync.synced, context);
  const synced = commonAnswerCount(state, saved);
  return { kind: "replace", state, synced, unsaved: synced < state.selectedOptions.length || saved.id !== state.id, navigates: false };
}

function userOf({ store, uuid }: Copies): StateUser {
  const email = accountEmail(store);
  const firstname = store.get("signupName");
  return { uuid, ...(email === null ? {} : { email }), ...(firstname === null ? {} : { firstname }) };
}

/** As `goOn` does on a page of the account's version: what the device has beyond the server's copy is kept. */
function afterLogin(copies: Copies, target: string | null): Reconciliation {
  const { compiled, context, store, uuid, ours, sync, theirs } = copies;
  const user = userOf(copies);
  const isOwn = ours.user.uuid === uuid;
  const theirState = theirs.state ?? "none";
  const hasUnsaved = typeof theirState === "object" && isOwn && sync.unsaved && theirState.id === ours.id;
  const hasOnlyOurs = theirState === "none" && ours.selectedOptions.length > 0 && (isOwn || !ours.signupDone);
  const saved = hasUnsaved ? rebaseState(compiled, theirState, ours, sync.synced, context) : hasOnlyOurs ? ours : theirState;
  const state = resumedState({ saved, compiled, context, user, target: targetIn(target), start: storedStart(store) });
  const synced = typeof theirState === "object" && theirState.id === state.id ? commonAnswerCount(state, theirState) : null;
  const unsaved = synced === null || synced < state.selectedOptions.length;
  return { kind: "replace", state, synced: synced ?? 0, unsaved, navigates: target !== null };
}
