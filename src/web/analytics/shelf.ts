/** Where waiting events outlast the page: IndexedDB, or nothing where the browser blocks it (then they live as long as the page). */
import * as v from "valibot";
import { forgetEarly, readEarly, waitingEventSchema } from "../session/early.ts";
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
