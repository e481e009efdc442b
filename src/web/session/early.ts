/** Events of a page that what sends them has not come to yet: kept on the device at once, until the server has them (spec 000 §7). */
import * as v from "valibot";
import type { WaitingEvent } from "./event.ts";
import type { KeyValueStore } from "../device/storage.ts";

/** Where what sends them never comes, no more are kept. */
const most = 200;

/** An event as it was kept. */
export const waitingEventSchema = v.object({
  id: v.string(),
  at: v.string(),
  sequence: v.number(),
  eventType: v.custom<WaitingEvent["eventType"]>((value) => typeof value === "string"),
  payload: v.record(v.string(), v.unknown()),
});
const listSchema = v.pipe(v.string(), v.parseJson(), v.array(waitingEventSchema));

export function readEarly(store: KeyValueStore): readonly WaitingEvent[] {
  const kept = v.safeParse(listSchema, store.get("earlyEvents"));
  return kept.success ? kept.output : [];
}

export function keepEarly(store: KeyValueStore, event: WaitingEvent): void {
  const kept = readEarly(store);
  if (kept.length < most) store.set("earlyEvents", JSON.stringify([...kept, event]));
}

export function forgetEarly(store: KeyValueStore, ids: readonly string[]): void {
  const left = readEarly(store).filter(({ id }) => !ids.includes(id));
  if (left.length > 0) store.set("earlyEvents", JSON.stringify(left));
  else store.remove("earlyEvents");
}
