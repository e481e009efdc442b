/** Loads analytics after hydration. Until then it queues its tasks, in order. */
import { timeOrderedId } from "#core/timeOrderedId.ts";
import type { KeyValueStore } from "../device/storage.ts";
import type { Analytics } from "../analytics/analytics.ts";
import type { PageEvent } from "../session/event.ts";
import { earlyEvents, storeEarlyEvent } from "../session/earlyEvents.ts";

/** The most events in one call. Repeated from `core/events.ts`, which loads later. */
const beaconLimit = 100;

export interface LazyAnalyticsParts {
  readonly store: KeyValueStore;
  readonly load: () => Promise<Analytics>;
  /** The payload that every event carries. */
  readonly commonPayload: () => PageEvent["payload"];
  readonly deviceUuid: () => string;
  readonly backend: () => string;
}

export interface LazyAnalytics {
  /** Runs a task once analytics has loaded. */
  readonly whenLoaded: (task: (loaded: Analytics) => void) => void;
  readonly track: (event: PageEvent) => void;
  readonly report: (error: unknown) => void;
  /** Sets the visitor's country; null if unknown. */
  readonly locate: (country: string | null) => void;
  /** Sends the unsent events as a beacon when the page is left. They also stay in the outbox; the server counts each id once. */
  readonly sendLeaving: () => void;
  /** Loads analytics and hands over the queue. If loading fails, the next call tries again. */
  readonly start: () => Promise<void>;
}

export function createLazyAnalytics({ store, load, commonPayload, deviceUuid, backend }: LazyAnalyticsParts): LazyAnalytics {
  let analytics: Analytics | null = null;
  let loading: Promise<Analytics> | null = null;
  let country: string | null | undefined;
  const queue: ((loaded: Analytics) => void)[] = [];
  const whenLoaded: LazyAnalytics["whenLoaded"] = (task) => {
    if (analytics === null) queue.push(task);
    else task(analytics);
  };
  return {
    whenLoaded,
    track({ eventType, payload }) {
      // Never below the current time: without storage each page counts anew, and its numbers must exceed those of the page before.
      const sequence = Math.max((Number(store.get("eventSequence")) || 0) + 1, Date.now());
      store.set("eventSequence", String(sequence));
      const id = timeOrderedId(Date.now(), crypto.randomUUID());
      const event = { eventType, payload: { ...commonPayload(), ...payload }, id, at: new Date().toISOString(), sequence };
      // Stored at once: a page that is closed offline would lose it.
      if (analytics === null) storeEarlyEvent(store, event);
      whenLoaded((loaded) => loaded.add(event));
    },
    report: (error) => whenLoaded((loaded) => loaded.report(error)),
    locate(current) {
      country = current;
      analytics?.locate(current);
    },
    sendLeaving() {
      const events = (analytics?.waiting() ?? earlyEvents(store)).slice(0, beaconLimit);
      if (events.length === 0) return;
      const body = JSON.stringify({ events, device: deviceUuid(), sentAt: new Date().toISOString() });
      navigator.sendBeacon(`${backend()}/send-event`, new Blob([body], { type: "application/json" }));
    },
    async start() {
      try {
        loading ??= load();
        analytics = await loading;
        for (const task of queue.splice(0)) task(analytics);
        if (country !== undefined) analytics.locate(country);
      } catch {
        loading = null;
      }
    },
  };
}
