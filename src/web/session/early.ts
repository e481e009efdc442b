/** Events of a page whose sender (`analytics`) has not loaded yet: kept on the device at once, until the server has them (spec 000 §7). */
import type { WaitingEvent } from "./event.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** No more are kept: where the sender never loads, nothing empties the list. */
const most = 200;

/** What is stored, unchecked: `analytics/eventStore.ts` takes the valid events. */
export function earlyEvents(store: KeyValueStore): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(store.get("earlyEvents") ?? "");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export function keepEarly(store: KeyValueStore, event: WaitingEvent): void {
  const kept = earlyEvents(store);
  if (kept.length < most) store.set("earlyEvents", JSON.stringify([...kept, event]));
}
