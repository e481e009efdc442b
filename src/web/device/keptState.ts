/** The questionnaire's state as this device keeps it. */
import { parseSavedState, savedState } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { KeyValueStore } from "./storage.ts";

/** The state the device kept, or null. */
export function readState(store: KeyValueStore): State | null {
  return parseSavedState(readJson(store));
}

/** Keeps a state of the server's as it is, for the page that is to take it up. */
export function keepSavedState(store: KeyValueStore, state: State, savedAt: string | undefined): void {
  const sync = { savedAt, synced: savedAt === undefined ? 0 : state.selectedOptions.length, unsaved: savedAt === undefined };
  store.set("questionnaireState", JSON.stringify({ ...savedState(state), sync }));
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

/** What `saving` wrote beside the state; it judges it. */
export function syncOf(store: KeyValueStore): unknown {
  const kept = readJson(store);
  return typeof kept === "object" && kept !== null && "sync" in kept ? kept.sync : undefined;
}
