/** Stores events on the device while `analytics`, which sends them, has not loaded yet (spec 000 §7). */
import type { WaitingEvent } from "./event.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** The most events in the list: if `analytics` never loads, nothing empties it. */
const limit = 200;

/** The stored events, unchecked: `analytics/eventStore.ts` validates them. */
export function earlyEvents(store: KeyValueStore): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(store.get("earlyEvents") ?? "");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export function storeEarlyEvent(store: KeyValueStore, event: WaitingEvent): void {
  const kept = earlyEvents(store);
  if (kept.length < limit) store.set("earlyEvents", JSON.stringify([...kept, event]));
}
