import { afterEach, expect, test, vi } from "vitest";
import type { WaitingEvent } from "../session/event.ts";
import { openEventStore as openNamed, whereAllowed } from "./eventStore.ts";

// Other tests on this origin have their own event stores.
const databaseName = "events-of-this-test";
const openEventStore = () => openNamed(databaseName);

const event = (sequence: number): WaitingEvent => ({
  eventType: "QuestionnaireQuestionShown",
  payload: { questionId: sequence },
  id: `id-${sequence}`,
  at: "2026-11-20T10:00:00.000Z",
  sequence,
});
afterEach(
  () =>
    new Promise((resolve) => {
      indexedDB.deleteDatabase(databaseName).onsuccess = resolve;
    }),
);

test("stored events are there for the next page, in order, until they are removed", async () => {
  const eventStore = openEventStore();
  eventStore.put(event(2));
  eventStore.put(event(1));
  const next = openEventStore();
  expect(await next.all()).toEqual([event(1), event(2)]);
  next.remove(["id-1"]);
  expect(await eventStore.all()).toEqual([event(2)]);
});

test("an event store that opens slowly keeps what was put meanwhile", async () => {
  const connected = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(databaseName);
  request.onsuccess = () => connected.resolve(request.result);
  const connection = await connected.promise;
  // Deleting waits for the open connection to close, and opening waits for the deletion.
  indexedDB.deleteDatabase(databaseName);
  const eventStore = openEventStore();
  eventStore.put(event(1));
  eventStore.put(event(2));
  eventStore.remove(["id-1"]);
  connection.close();
  expect(await eventStore.all()).toEqual([event(2)]);
});

test("a write is committed even if the page closes before it is confirmed", async () => {
  const ended = vi.spyOn(IDBTransaction.prototype, "commit");
  const eventStore = openEventStore();
  eventStore.put(event(1));
  eventStore.remove(["id-1"]);
  expect(await eventStore.all()).toEqual([]);
  expect(ended).toHaveBeenCalledTimes(2);
});

test("invalid entries are skipped", async () => {
  const eventStore = openEventStore();
  eventStore.put(event(1));
  await eventStore.all();
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(databaseName);
    request.onerror = reject;
    request.onsuccess = () => {
      const transaction = request.result.transaction("events", "readwrite");
      transaction.objectStore("events").put({ id: "broken", payload: 7 });
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
  expect(await eventStore.all()).toEqual([event(1)]);
});

test("with blocked storage the event store is empty, accepts everything and keeps nothing", async () => {
  const denied = vi.spyOn(globalThis, "indexedDB", "get").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const eventStore = openEventStore();
  eventStore.put(event(1));
  eventStore.remove(["id-1"]);
  expect(await eventStore.all()).toEqual([]);
  let allowed = true;
  const withPermission = whereAllowed(() => allowed, databaseName);
  allowed = false;
  withPermission.settle();
  expect(denied).toHaveBeenCalledTimes(3);
  denied.mockRestore();
});

test("nothing is stored without permission, pending events with it, and nothing again after a refusal", async () => {
  const names = async () => (await indexedDB.databases()).map(({ name }) => name);
  let allowed = false;
  const eventStore = whereAllowed(() => allowed, databaseName);
  eventStore.put(event(1));
  eventStore.put(event(2));
  eventStore.remove(["id-1"]);
  eventStore.settle();
  expect(await names()).not.toContain(databaseName);
  allowed = true;
  eventStore.settle();
  expect(await eventStore.all()).toEqual([event(2)]);
  expect(await openEventStore().all()).toEqual([event(2)]);
  allowed = false;
  eventStore.settle();
  await expect.poll(names).not.toContain(databaseName);
  eventStore.put(event(3));
  expect(await names()).not.toContain(databaseName);
});
