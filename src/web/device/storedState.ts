/** The questionnaire's state in the device's storage. */
import { parseSavedState, savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import * as v from "valibot";
import type { KeyValueStore } from "./storage.ts";

/** The device's record of the server's copy of the state. */
export interface Sync {
  /** The time of the server's save on which the device's state is based. */
  readonly savedAt?: string | undefined;
  /** The number of answers that the server has. */
  readonly synced: number;
  readonly unsaved: boolean;
}

const keptSync = v.object({ sync: v.object({ savedAt: v.optional(v.string()), synced: v.number(), unsaved: v.boolean() }) });

/** The stored state, or null. */
export function readState(store: KeyValueStore): State | null {
  return parseSavedState(readJson(store));
}

/** Stores the state. Without `sync`, the server has no copy yet. */
export function storeState(store: KeyValueStore, state: State, sync: Sync | undefined): void {
  store.set("questionnaireState", JSON.stringify({ ...savedState(state), sync }));
}

/** Stores the server's state unchanged, for the next page. */
export function storeServerState(store: KeyValueStore, state: State, savedAt: string | undefined): void {
  storeState(store, state, { savedAt, synced: savedAt === undefined ? 0 : state.selectedOptions.length, unsaved: savedAt === undefined });
  store.remove("questionnaireTarget");
}

function readJson(store: KeyValueStore): unknown {
  try {
    return JSON.parse(store.get("questionnaireState") ?? "null");
  } catch {
    // Not JSON: treated as missing.
    return null;
  }
}

/** The stored sync record, or undefined. */
export function storedSync(store: KeyValueStore): Sync | undefined {
  const kept = v.safeParse(keptSync, readJson(store));
  return kept.success ? kept.output.sync : undefined;
}
