/** Analytics events on their way: gathered for a moment, sent together, kept while there is no connection (spec 000 §7, send-event). */
import type { EventType, SentEvent } from "#core/events.ts";

/** Gathering time before a batch goes out, ms. */
const gatherFor = 1000;
/** One call takes no more (design/contract.md). */
const batchSize = 100;
/** Older events are dropped beyond this: a device that is offline for long must not fill up. */
const capacity = 500;

/** An event as the page knows it; the contract's table checks it before it is sent. */
export interface PageEvent {
  readonly eventType: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
}
export type WaitingEvent = PageEvent & Pick<SentEvent, "id" | "at">;

export interface Outbox {
  readonly add: (event: PageEvent) => void;
  /** Sends what there is at once; `leaving` when the page goes away. */
  readonly flush: (leaving?: boolean) => Promise<void>;
}

export interface OutboxParts {
  readonly send: (events: readonly WaitingEvent[], leaving: boolean) => Promise<void>;
  readonly uuid: () => string;
  readonly now: () => Date;
}

export function createOutbox({ send, uuid, now }: OutboxParts): Outbox {
  let waiting: WaitingEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(leaving = false): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    try {
      await send(batch, leaving);
    } catch {
      // Errors of send-event are ignored (spec 000 §7); the events go with the next batch, where the same id counts once.
      waiting = [...batch, ...waiting].slice(-capacity);
    }
  }

  return {
    add(event) {
      waiting.push({ ...event, id: uuid(), at: now().toISOString() });
      timer ??= setTimeout(() => void flush(), gatherFor);
    },
    flush,
  };
}
