/** Stores unsent events in IndexedDB. If the browser blocks it, they are lost with the page. */
import * as v from "valibot";
import { earlyEvents } from "../session/earlyEvents.ts";
import type { KeyValueStore } from "../device/storage.ts";
import type { WaitingEvent } from "../session/event.ts";

/** No method ever fails: an event that cannot be stored is still sent. */
export interface EventStore {
  readonly all: () => Promise<readonly WaitingEvent[]>;
  readonly put: (event: WaitingEvent) => void;
  readonly remove: (ids: readonly string[]) => void;
}

export const noEventStore: EventStore = { all: () => Promise.resolve([]), put: () => {}, remove: () => {} };

/** The privacy policy names it, like every entry on the device. */
const databaseName = "parlando-events";
const storeName = "events";

/**
 * An event store that can be used at once: it queues writes until the browser has opened the database. Some browsers never do. `open` may
 * throw, because reading `indexedDB` throws where storage is blocked.
 */
export function openEventStore(open: () => IDBFactory, name = databaseName): EventStore {
  const opened = new Promise<EventStore>((resolve) => {
    const without = () => resolve(noEventStore);
    try {
      const request = open().open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "id" });
      request.onsuccess = () => resolve(eventStoreIn(request.result));
      request.onerror = without;
      request.onblocked = without;
    } catch {
      without();
    }
  });
  return {
    all: () => opened.then((eventStore) => eventStore.all()),
    put: (event) => void opened.then((eventStore) => eventStore.put(event)),
    remove: (ids) => void opened.then((eventStore) => eventStore.remove(ids)),
  };
}

/**
 * An event store that opens the database only with permission. Without it, events live as long as the page. `settle` is to be called when
 * the permission may have changed; if it is gone, the database is deleted with its events.
 */
export function whereAllowed(
  database: () => IDBFactory,
  mayKeep: () => boolean,
  name = databaseName,
): EventStore & { readonly settle: () => void } {
  let eventStore: EventStore | null = null;
  const held = new Map<string, WaitingEvent>();
  const opened = Promise.withResolvers<EventStore>();
  const self = {
    all: () => opened.promise.then((there) => there.all()),
    put(event: WaitingEvent) {
      if (eventStore === null) held.set(event.id, event);
      else eventStore.put(event);
    },
    remove(ids: readonly string[]) {
      for (const id of ids) held.delete(id);
      eventStore?.remove(ids);
    },
    settle() {
      if (mayKeep()) {
        eventStore ??= openEventStore(database, name);
        for (const event of held.values()) eventStore.put(event);
        held.clear();
        opened.resolve(eventStore);
      } else if (eventStore !== null) {
        eventStore = null;
        try {
          database().deleteDatabase(name);
        } catch {
          // Storage is blocked, so there is no database.
        }
      }
    },
  };
  self.settle();
  return self;
}

/** A stored event. */
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

/** Adds the device's early events to an event store: those of this page and of earlier ones. */
export function withEarly(eventStore: EventStore, store: KeyValueStore): EventStore {
  return {
    all: async () => {
      const kept = await eventStore.all();
      const early = readEarly(store).filter(({ id }) => kept.every((event) => event.id !== id));
      return [...kept, ...early].toSorted((a, b) => a.sequence - b.sequence);
    },
    put: (event) => eventStore.put(event),
    remove(ids) {
      eventStore.remove(ids);
      forgetEarly(store, ids);
    },
  };
}

function eventStoreIn(database: IDBDatabase): EventStore {
  // Upgrading or deleting the database in another tab must not wait for this page.
  database.onversionchange = () => database.close();

  function write(work: (store: IDBObjectStore) => void) {
    try {
      const transaction = database.transaction(storeName, "readwrite");
      work(transaction.objectStore(storeName));
      // Without an explicit commit, a page that closes now would lose the write.
      transaction.commit();
    } catch {
      // Closed or full: the events are also in memory.
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
