/**
 * The event outbox: sends events in batches, retries until the server confirms them, and keeps them over reloads (spec 000 §7, send-event).
 * It drops none. The server counts an event that arrives twice once, by its id.
 */
import { batchLimit } from "#core/events.ts";
import type { WaitingEvent } from "../session/event.ts";
import type { EventStore } from "./eventStore.ts";

/** Time before a batch is sent, ms. */
export const gatherFor = 1000;
/** The first and the longest retry delay, ms. It doubles with each failure. */
const firstWait = 2000;
const longestWait = 5 * 60 * 1000;

export interface Outbox {
  readonly add: (event: WaitingEvent) => void;
  /** Sends all events at once, for example when the connection is back. */
  readonly flush: () => Promise<void>;
  /** The events that the server has not confirmed. */
  readonly waiting: () => readonly WaitingEvent[];
}

export interface OutboxParts {
  readonly eventStore: EventStore;
  /** Resolves once the server has the events. */
  readonly send: (events: readonly WaitingEvent[]) => Promise<void>;
  /** Whether the error means that the server will never accept these events. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  /** From 0 to 1. Spreads the retries of clients that failed at the same time. */
  readonly random: () => number;
}

export function createOutbox({ eventStore, send, isRefusal, report, random }: OutboxParts): Outbox {
  let waiting: readonly WaitingEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** The batch size. It shrinks after a refusal, to find the refused event. */
  let size = batchLimit;
  let sending: Promise<void> | null = null;

  function settled(events: readonly WaitingEvent[]) {
    const ids = new Set(events.map(({ id }) => id));
    waiting = waiting.filter(({ id }) => !ids.has(id));
    eventStore.remove([...ids]);
  }

  function schedule(wait: number) {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), wait);
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      try {
        await send(batch);
        settled(batch);
        failures = 0;
        size = batchLimit;
      } catch (error) {
        if (isRefusal(error) && batch.length > 1) size = Math.ceil(batch.length / 2);
        else if (isRefusal(error)) {
          report(error);
          settled(batch);
        } else {
          // Errors of send-event are ignored (spec 000 §7), and the batch is retried later.
          schedule(Math.min(firstWait * 2 ** failures, longestWait) * (0.5 + random() / 2));
          failures += 1;
          return;
        }
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => (sending = null));
    return sending;
  }

  // Unsent events of earlier pages go first.
  void eventStore.all().then((kept) => {
    const known = new Set(waiting.map(({ id }) => id));
    waiting = [...kept.filter(({ id }) => !known.has(id)), ...waiting];
    if (waiting.length > 0 && timer === undefined) schedule(gatherFor);
  });
  return {
    add(event) {
      // The event store may have loaded it already.
      waiting = [...waiting.filter(({ id }) => id !== event.id), event];
      eventStore.put(event);
      if (timer === undefined) schedule(gatherFor);
    },
    flush,
    waiting: () => waiting,
  };
}
