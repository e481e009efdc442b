/** Events of a page that what sends them has not come to yet: kept on the device at once, until the server has them (spec 000 §7). */
import type { WaitingEvent } from "./event.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** Where what sends them never comes, no more are kept. */
const most = 200;

/** Whatever lies there, as a list; `analytics/eventStore.ts` takes the events among it. */
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
