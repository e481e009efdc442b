/** The questionnaire's state as this device keeps it. */
import { parseSavedState, savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import * as v from "valibot";
import type { KeyValueStore } from "./storage.ts";

/** What the device knows of the server's copy of the state. */
export interface Sync {
  /** The server's save that ours is built on. */
  readonly savedAt?: string | undefined;
  /** How many of the answers the server has. */
  readonly synced: number;
  readonly unsaved: boolean;
}

const keptSync = v.object({ sync: v.object({ savedAt: v.optional(v.string()), synced: v.number(), unsaved: v.boolean() }) });

/** The state the device kept, or null. */
export function readState(store: KeyValueStore): State | null {
  return parseSavedState(readJson(store));
}

/** Keeps the state; without `sync` the server has no copy of it yet. */
export function keepState(store: KeyValueStore, state: State, sync: Sync | undefined): void {
  store.set("questionnaireState", JSON.stringify({ ...savedState(state), sync }));
}

/** Keeps a state of the server's as it is, for the page that is to take it up. */
export function keepSavedState(store: KeyValueStore, state: State, savedAt: string | undefined): void {
  keepState(store, state, { savedAt, synced: savedAt === undefined ? 0 : state.selectedOptions.length, unsaved: savedAt === undefined });
  store.remove("questionnaireTarget");
}

function readJson(store: KeyValueStore): unknown {
  try {
    return JSON.parse(store.get("questionnaireState") ?? "null");
  } catch {
    // Not JSON: as good as nothing kept.
    return null;
  }
}

/** What was kept beside the state, or undefined. */
export function syncOf(store: KeyValueStore): Sync | undefined {
  const kept = v.safeParse(keptSync, readJson(store));
  return kept.success ? kept.output.sync : undefined;
}
