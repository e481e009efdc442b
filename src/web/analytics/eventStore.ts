/** Stores unsent events in IndexedDB. If the browser blocks it, they are lost with the page. */
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
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

interface Events extends DBSchema {
  readonly events: { readonly key: string; readonly value: WaitingEvent };
}
type Database = IDBPDatabase<Events>;

async function openDatabase(name: string): Promise<Database> {
  const database = await openDB<Events>(name, 1, {
    upgrade: (created) => void created.createObjectStore("events", { keyPath: "id" }),
  });
  // Upgrading or deleting the database in another tab must not wait for this page.
  database.addEventListener("versionchange", () => database.close());
  return database;
}

async function write(
  database: Database,
  work: (store: IDBPObjectStore<Events, ["events"], "events", "readwrite">) => readonly Promise<unknown>[],
): Promise<void> {
  const transaction = database.transaction("events", "readwrite");
  const done = Promise.all([...work(transaction.store), transaction.done]);
  // Without an explicit commit, a page that closes now would lose the write.
  transaction.commit();
  await done;
}

/** An event store that can be used at once: it queues calls until the browser has opened the database. Some browsers never do. */
export function openEventStore(name = databaseName): EventStore {
  const opened = openDatabase(name);
  // Without storage nothing is stored, and nothing is reported.
  opened.catch(() => undefined);
  // Blocked, closed or full: the events are also in memory.
  const attempt = (work: (database: Database) => Promise<void>) => void opened.then(work).catch(() => undefined);
  return {
    all: () =>
      opened
        .then((database) => database.getAll("events"))
        .then((stored) => stored.filter((event) => v.is(waitingEventSchema, event)).toSorted((a, b) => a.sequence - b.sequence))
        .catch(() => []),
    put: (event) => attempt((database) => write(database, (store) => [store.put(event)])),
    remove: (ids) => attempt((database) => write(database, (store) => ids.map((id) => store.delete(id)))),
  };
}

/**
 * An event store that opens the database only with permission. Without it, events live as long as the page. Call `settle` when the
 * permission may have changed; if it was withdrawn, the database is deleted with its events.
 */
export function whereAllowed(mayKeep: () => boolean, name = databaseName): EventStore & { readonly settle: () => void } {
  let eventStore: EventStore | null = null;
  const held = new Map<string, WaitingEvent>();
  let onOpened: (there: EventStore) => void;
  const opened = new Promise<EventStore>((resolve) => (onOpened = resolve));
  const self = {
    all: () => opened.then((there) => there.all()),
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
        eventStore ??= openEventStore(name);
        for (const event of held.values()) eventStore.put(event);
        held.clear();
        onOpened(eventStore);
      } else if (eventStore !== null) {
        eventStore = null;
        // Where storage is blocked, there is no database to delete.
        new Promise((resolve) => resolve(deleteDB(name))).catch(() => undefined);
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
