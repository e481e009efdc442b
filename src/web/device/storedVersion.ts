import { isVersionName, type VersionName } from "#content/questionnaires/known.ts";
import type { KeyValueStore } from "./storage.ts";

/** The visitor's stored version, or null. */
export function storedVersion(store: KeyValueStore): VersionName | null {
  const kept = store.get("questionnaireVersion");
  return kept !== null && isVersionName(kept) ? kept : null;
}
