/** What becomes of a device's state when it meets the server's copy (spec 001 §4). */
import { isVersionName } from "#content/questionnaires/known.ts";
import type { Output } from "#core/api.ts";
import { targetIn } from "#core/links.ts";
import { resumedState } from "#core/questionnaire/destination.ts";
import { commonAnswerCount, rebaseState } from "#core/questionnaire/merge.ts";
import type { State, StateUser } from "#core/questionnaire/state.ts";
import { type KeyValueStore, storedStart } from "../device/storage.ts";
import type { Sync } from "../device/keptState.ts";
import { type ServedRelease, type StateOfRelease, staysOnRelease } from "./staying.ts";

export type Meeting =
  /** Started over on purpose: ours goes over what was saved before. */
  | { readonly kind: "startOver" }
  /** A version that is merely looked at takes no answers from the one they were given in. */
  | { readonly kind: "lookedAt" }
  /** Nothing was saved by another device. */
  | { readonly kind: "ours" }
  /** Saved on a release that its visitor stays on; nothing here is newer. */
  | { readonly kind: "otherRelease"; readonly state: StateOfRelease }
  | {
      readonly kind: "take";
      readonly state: State;
      /** How many of its answers the server has. */
      readonly synced: number;
      readonly unsaved: boolean;
      /** The page that sent here named only the questionnaire. */
      readonly arrived: boolean;
    };

export interface Met extends ServedRelease {
  readonly store: KeyValueStore;
  /** The account's. */
  readonly uuid: string;
  readonly ours: State;
  readonly sync: Sync;
  readonly theirs: Output<"questionnaireGet">;
}

export function meet(met: Met): Meeting {
  const { compiled, context, store, uuid, ours, sync, theirs } = met;
  const { savedAt } = theirs;
  const saved = theirs.state ?? "none";
  if (store.get("questionnaireReset") === "1") return { kind: "startOver" };
  const target = store.get("questionnaireTarget");
  const isElsewhere = typeof saved === "object" && saved.id !== ours.id && isVersionName(saved.id);
  if (isElsewhere && target === null && ours.user.uuid === uuid && !ours.signupDone && ours.selectedOptions.length === 0)
    return { kind: "lookedAt" };
  const comesIn = target !== null || ours.user.uuid !== uuid;
  const hasNews = !comesIn && sync.unsaved;
  if (typeof saved === "object" && savedAt !== sync.savedAt && !hasNews && staysOnRelease(met, saved)) {
    const questionId = targetIn(target) ?? saved.currentQuestionId;
    return { kind: "otherRelease", state: { ...saved, currentQuestionId: questionId, user: { ...saved.user, ...userOf(met) } } };
  }
  // Just come in, from a page of another version; whatever is here is not theirs.
  if (comesIn) return comeIn(met, target);
  if (typeof saved !== "object" || savedAt === undefined || savedAt === sync.savedAt) return { kind: "ours" };
  const state = rebaseState(compiled, saved, ours, sync.synced, context);
  const synced = commonAnswerCount(state, saved);
  return { kind: "take", state, synced, unsaved: synced < state.selectedOptions.length || saved.id !== state.id, arrived: false };
}

function userOf({ store, uuid }: Met): StateUser {
  const email = store.get("signupEmail");
  const firstname = store.get("signupName");
  return { uuid, ...(email === null ? {} : { email }), ...(firstname === null ? {} : { firstname }) };
}

function comeIn(met: Met, target: string | null): Meeting {
  const { compiled, context, store, theirs } = met;
  const saved = theirs.state ?? "none";
  const user = userOf(met);
  const state = resumedState({ saved, compiled, context, user, target: targetIn(target), start: storedStart(store) });
  const unsaved = saved === "none" || saved === "invalid" || saved.id !== state.id;
  return { kind: "take", state, synced: unsaved ? 0 : state.selectedOptions.length, unsaved, arrived: target !== null };
}
