import { expect, test } from "vitest";
import type { WaitingEvent } from "./event.ts";
import { noEventStore, withEarly } from "../analytics/eventStore.ts";
import { storeEarlyEvent } from "./earlyEvents.ts";
import { memoryStore } from "../device/storage.ts";

const event = (sequence: number): WaitingEvent => ({
  id: `event ${sequence}`,
  at: "2026-11-20T12:00:00.000Z",
  sequence,
  eventType: "QuestionnaireAnswer",
  payload: { questionId: sequence },
});

test("events from before analytics has loaded are stored in order until the server has them", async () => {
  const store = memoryStore();
  const eventStore = withEarly(noEventStore, store);
  expect(await eventStore.all()).toEqual([]);
  for (const sequence of [1, 2, 3]) storeEarlyEvent(store, event(sequence));
  expect(await eventStore.all()).toEqual([event(1), event(2), event(3)]);
  eventStore.remove(["event 1", "event 3", "another"]);
  expect(await eventStore.all()).toEqual([event(2)]);
  eventStore.remove(["event 2"]);
  expect(await eventStore.all()).toEqual([]);
  expect(store.get("earlyEvents")).toBeNull();
});

test("if analytics never loads, at most 200 events are stored", async () => {
  const store = memoryStore();
  const first = Array.from({ length: 200 }, (_, n) => event(n));
  for (const each of first) storeEarlyEvent(store, each);
  storeEarlyEvent(store, event(200));
  expect(await withEarly(noEventStore, store).all()).toEqual(first);
});

test.each(["no list", "{}", JSON.stringify([{ ...event(1), eventType: 7 }]), JSON.stringify([{ ...event(1), payload: null }])])(
  "an invalid stored list of events (%s) counts as empty",
  async (kept) => {
    const store = memoryStore();
    store.set("earlyEvents", kept);
    expect(await withEarly(noEventStore, store).all()).toEqual([]);
    storeEarlyEvent(store, event(2));
    expect(await withEarly(noEventStore, store).all()).toEqual([event(2)]);
  },
);
