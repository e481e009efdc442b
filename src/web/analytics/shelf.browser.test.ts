import { afterEach, expect, test } from "vitest";
import type { WaitingEvent } from "./event.ts";
import { openShelf as openNamed } from "./shelf.ts";

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
  const shelf = await openShelf(() => indexedDB);
  shelf.put(event(2));
  shelf.put(event(1));
  const next = await openShelf(() => indexedDB);
  expect(await next.all()).toEqual([event(1), event(2)]);
  next.remove(["id-1"]);
  expect(await shelf.all()).toEqual([event(2)]);
});

test("entries that are no events are passed over", async () => {
  const shelf = await openShelf(() => indexedDB);
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
  const shelf = await openShelf(() => {
    throw new DOMException("denied", "SecurityError");
  });
  shelf.put(event(1));
  shelf.remove(["id-1"]);
  expect(await shelf.all()).toEqual([]);
});
