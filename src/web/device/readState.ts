import type { State } from "#core/questionnaire/state.ts";
import { parseSavedState } from "#core/questionnaire/storedState.ts";
import { type KeyValueStore, storedFields } from "./storage.ts";

/** The stored state, or null. */
export function readState(store: KeyValueStore): State | null {
  return parseSavedState(storedFields(store, "questionnaireState"));
}
