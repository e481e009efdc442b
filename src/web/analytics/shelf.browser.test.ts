import { afterEach, expect, test, vi } from "vitest";
import type { WaitingEvent } from "../session/event.ts";
import { openShelf as openNamed, whereAllowed } from "./shelf.ts";

// Pages of other tests on this origin have shelves of their own.
const shelfName = "events-of-this-test";
const openShelf = (open: () => IDBFactory) => openNamed(open, shelfName);

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
      indexedDB.deleteDatabase(shelfName).onsuccess = resolve;
    }),
);

test("what is put on the shelf is there for the next page, in order, until it is taken off", async () => {
  const shelf = openShelf(() => indexedDB);
  shelf.put(event(2));
  shelf.put(event(1));
  const next = openShelf(() => indexedDB);
  expect(await next.all()).toEqual([event(1), event(2)]);
  next.remove(["id-1"]);
  expect(await shelf.all()).toEqual([event(2)]);
});

test("a shelf that the browser is slow to open has what was put meanwhile", async () => {
  const connected = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(shelfName);
  request.onsuccess = () => connected.resolve(request.result);
  const connection = await connected.promise;
  // It waits for the connection to close, and the shelf waits for it.
  indexedDB.deleteDatabase(shelfName);
  const shelf = openShelf(() => indexedDB);
  shelf.put(event(1));
  shelf.put(event(2));
  shelf.remove(["id-1"]);
  connection.close();
  expect(await shelf.all()).toEqual([event(2)]);
});

test("a write does not wait for the page to hear of it: one that is gone by then has kept what it put", async () => {
  const ended = vi.spyOn(IDBTransaction.prototype, "commit");
  const shelf = openShelf(() => indexedDB);
  shelf.put(event(1));
  shelf.remove(["id-1"]);
  expect(await shelf.all()).toEqual([]);
  expect(ended).toHaveBeenCalledTimes(2);
});

test("entries that are no events are passed over", async () => {
  const shelf = openShelf(() => indexedDB);
  shelf.put(event(1));
  await shelf.all();
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(shelfName);
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
  expect(await shelf.all()).toEqual([event(1)]);
});

test("a browser that blocks it gives an empty shelf that takes everything and keeps nothing", async () => {
  const shelf = openShelf(() => {
    throw new DOMException("denied", "SecurityError");
  });
  shelf.put(event(1));
  shelf.remove(["id-1"]);
  expect(await shelf.all()).toEqual([]);
});

test("nothing is on the device while it may not be, then what waits, and nothing again after a refusal", async () => {
  const names = async () => (await indexedDB.databases()).map(({ name }) => name);
  let allowed = false;
  const shelf = whereAllowed(
    () => indexedDB,
    () => allowed,
    shelfName,
  );
  shelf.put(event(1));
  shelf.put(event(2));
  shelf.remove(["id-1"]);
  shelf.settle();
  expect(await names()).not.toContain(shelfName);
  allowed = true;
  shelf.settle();
  expect(await shelf.all()).toEqual([event(2)]);
  expect(await openShelf(() => indexedDB).all()).toEqual([event(2)]);
  allowed = false;
  shelf.settle();
  await vi.waitFor(async () => expect(await names()).not.toContain(shelfName));
  shelf.put(event(3));
  expect(await names()).not.toContain(shelfName);
});
