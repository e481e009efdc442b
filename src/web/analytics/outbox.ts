/**
 * Events on their way: gathered for a moment, sent together, sent again until the server has said that it has them, kept over reloads
 * (spec 000 §7, send-event). None is dropped; one that arrives twice counts once, because its id does.
 */
import { batchLimit } from "#core/events.ts";
import type { WaitingEvent } from "../session/event.ts";
import type { EventStore } from "./eventStore.ts";

/** Gathering time before a batch goes out, ms. */
export const gatherFor = 1000;
/** The first wait after a failure and the longest one, ms; each further wait is twice as long. */
const firstWait = 2000;
const longestWait = 5 * 60 * 1000;

export interface Outbox {
  readonly add: (event: WaitingEvent) => void;
  /** Sends what there is at once, for example because the connection is back. */
  readonly flush: () => Promise<void>;
  /** What the server has not said that it has. */
  readonly waiting: () => readonly WaitingEvent[];
}

export interface OutboxParts {
  readonly eventStore: EventStore;
  /** Resolves once the server has the events. */
  readonly send: (events: readonly WaitingEvent[]) => Promise<void>;
  /** Whether an error says that these very events will never be taken. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  /** From 0 to 1: clients that failed together must not come back together. */
  readonly random: () => number;
}

export function createOutbox({ eventStore, send, isRefusal, report, random }: OutboxParts): Outbox {
  let waiting: readonly WaitingEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** Fewer after a refusal, to find the event that is refused. */
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
          // Errors of send-event are ignored (spec 000 §7): later it will work.
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

  // What an earlier page could not send goes first.
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
