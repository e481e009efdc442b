/** Where waiting events outlast the page: IndexedDB, or nothing where the browser blocks it (then they live as long as the page). */
import * as v from "valibot";
import { earlyEvents } from "../session/early.ts";
import type { KeyValueStore } from "../device/storage.ts";
import type { WaitingEvent } from "../session/event.ts";

/** None of these ever fails: an event that cannot be kept is still sent. */
export interface Shelf {
  readonly all: () => Promise<readonly WaitingEvent[]>;
  readonly put: (event: WaitingEvent) => void;
  readonly remove: (ids: readonly string[]) => void;
}

export const noShelf: Shelf = { all: () => Promise.resolve([]), put: () => {}, remove: () => {} };

/** Named in the privacy policy, as every entry on the device. */
const shelfName = "parlando-events";
const storeName = "events";

/**
 * A shelf that can be used at once: what is put before the browser has opened it comes onto it then, however late that is. Some browsers
 * never answer. `open` may throw: reading the property already does where storage is blocked.
 */
export function openShelf(open: () => IDBFactory, name = shelfName): Shelf {
  const opened = new Promise<Shelf>((resolve) => {
    const without = () => resolve(noShelf);
    try {
      const request = open().open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "id" });
      request.onsuccess = () => resolve(shelfIn(request.result));
      request.onerror = without;
      request.onblocked = without;
    } catch {
      without();
    }
  });
  return {
    all: () => opened.then((shelf) => shelf.all()),
    put: (event) => void opened.then((shelf) => shelf.put(event)),
    remove: (ids) => void opened.then((shelf) => shelf.remove(ids)),
  };
}

/**
 * A shelf that is opened once something may be kept. Until then events live as long as the page; `settle` says that it may have become
 * allowed, or may be no longer: then it leaves the device with what waits on it.
 */
export function whereAllowed(
  database: () => IDBFactory,
  mayKeep: () => boolean,
  name = shelfName,
): Shelf & { readonly settle: () => void } {
  let shelf: Shelf | null = null;
  const held = new Map<string, WaitingEvent>();
  const opened = Promise.withResolvers<Shelf>();
  const self = {
    all: () => opened.promise.then((there) => there.all()),
    put(event: WaitingEvent) {
      if (shelf === null) held.set(event.id, event);
      else shelf.put(event);
    },
    remove(ids: readonly string[]) {
      for (const id of ids) held.delete(id);
      shelf?.remove(ids);
    },
    settle() {
      if (mayKeep()) {
        shelf ??= openShelf(database, name);
        for (const event of held.values()) shelf.put(event);
        held.clear();
        opened.resolve(shelf);
      } else if (shelf !== null) {
        shelf = null;
        try {
          database().deleteDatabase(name);
        } catch {
          // Blocked: then there is none.
        }
      }
    },
  };
  self.settle();
  return self;
}

/** An event as it was kept. */
const waitingEventSchema = v.object({
  id: v.string(),
  at: v.string(),
  sequence: v.number(),
  eventType: v.custom<WaitingEvent["eventType"]>((value) => typeof value === "string"),
  payload: v.record(v.string(), v.unknown()),
});

function readEarly(store: KeyValueStore): readonly WaitingEvent[] {
  return earlyEvents(store).flatMap((kept) => (v.is(waitingEventSchema, kept) ? kept : []));
}

function forgetEarly(store: KeyValueStore, ids: readonly string[]): void {
  const left = readEarly(store).filter(({ id }) => !ids.includes(id));
  if (left.length > 0) store.set("earlyEvents", JSON.stringify(left));
  else store.remove("earlyEvents");
}

/** A shelf that has the device's early events too, of this page and of pages that were left before. */
export function withEarly(shelf: Shelf, store: KeyValueStore): Shelf {
  return {
    all: async () => {
      const kept = await shelf.all();
      const early = readEarly(store).filter(({ id }) => kept.every((event) => event.id !== id));
      return [...kept, ...early].toSorted((a, b) => a.sequence - b.sequence);
    },
    put: (event) => shelf.put(event),
    remove(ids) {
      shelf.remove(ids);
      forgetEarly(store, ids);
    },
  };
}

function shelfIn(database: IDBDatabase): Shelf {
  // A newer build, or somebody who clears the device, must not have to wait for this page.
  database.onversionchange = () => database.close();

  function write(work: (store: IDBObjectStore) => void) {
    try {
      const transaction = database.transaction(storeName, "readwrite");
      work(transaction.objectStore(storeName));
      // By itself it would end when the page has heard of the last write: a page that is gone by then would lose it.
      transaction.commit();
    } catch {
      // Closed or full: what matters is in memory too.
    }
  }
  return {
    all: () =>
      new Promise((resolve) => {
        try {
          const request = database.transaction(storeName).objectStore(storeName).getAll();
          request.onsuccess = () => {
            const kept: readonly unknown[] = Array.isArray(request.result) ? request.result : [];
            resolve(
              kept.filter((value): value is WaitingEvent => v.is(waitingEventSchema, value)).toSorted((a, b) => a.sequence - b.sequence),
            );
          };
          request.onerror = () => resolve([]);
        } catch {
          resolve([]);
        }
      }),
    put: (event) => write((store) => store.put(event)),
    remove: (ids) =>
      write((store) => {
        for (const id of ids) store.delete(id);
      }),
  };
}
