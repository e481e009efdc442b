/** What becomes of a device's state when it meets the server's copy (spec 001 §4). */
import { isVersionName } from "#content/questionnaires/known.ts";
import type { Output } from "#core/api.ts";
import { targetIn } from "#core/links.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { resumedState } from "#core/questionnaire/destination.ts";
import { commonAnswerCount, rebaseState } from "#core/questionnaire/merge.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type KeyValueStore, storedStart } from "../device/storage.ts";

/** What the device remembers of the server's copy. */
export interface Sync {
  /** The server's save that ours is built on. */
  readonly savedAt?: string | undefined;
  /** How many of the answers the server has. */
  readonly synced: number;
  readonly unsaved: boolean;
}

export type Meeting =
  /** Started over on purpose: ours goes over what was saved before. */
  | { readonly kind: "startOver" }
  /** A version that is merely looked at takes no answers from the one they were given in. */
  | { readonly kind: "lookedAt" }
  /** Nothing was saved by another device. */
  | { readonly kind: "ours" }
  | {
      readonly kind: "take";
      readonly state: State;
      /** How many of its answers the server has. */
      readonly synced: number;
      readonly unsaved: boolean;
      /** The page that sent here named only the questionnaire. */
      readonly arrived: boolean;
    };

export interface Met {
  readonly compiled: CompiledQuestionnaire;
  readonly context: Context;
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
  // Just come in, from a page of another version; whatever is here is not theirs.
  if (target !== null || ours.user.uuid !== uuid) return comeIn(met, target);
  if (typeof saved !== "object" || savedAt === undefined || savedAt === sync.savedAt) return { kind: "ours" };
  const state = rebaseState(compiled, saved, ours, sync.synced, context);
  const synced = commonAnswerCount(state, saved);
  return { kind: "take", state, synced, unsaved: synced < state.selectedOptions.length || saved.id !== state.id, arrived: false };
}

function comeIn({ compiled, context, store, uuid, theirs }: Met, target: string | null): Meeting {
  const saved = theirs.state ?? "none";
  const email = store.get("signupEmail");
  const firstname = store.get("signupName");
  const user = { uuid, ...(email === null ? {} : { email }), ...(firstname === null ? {} : { firstname }) };
  const state = resumedState({ saved, compiled, context, user, target: targetIn(target), start: storedStart(store) });
  const unsaved = saved === "none" || saved === "invalid" || saved.id !== state.id;
  return { kind: "take", state, synced: unsaved ? 0 : state.selectedOptions.length, unsaved, arrived: target !== null };
}
