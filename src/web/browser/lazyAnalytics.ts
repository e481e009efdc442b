/** Loads analytics after hydration. Until then it queues what analytics is to be told, in order. */
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
  readonly about: () => PageEvent["payload"];
  readonly deviceUuid: () => string;
  readonly backend: () => string;
}

export interface LazyAnalytics {
  readonly tell: (what: (there: Analytics) => void) => void;
  readonly track: (event: PageEvent) => void;
  readonly report: (error: unknown) => void;
  /** Sets the visitor's country; null if unknown. */
  readonly locate: (country: string | null) => void;
  /** Sends the unsent events as a beacon when the page is left. They also stay in the outbox; the server counts each id once. */
  readonly sendLeaving: () => void;
  /** Loads analytics and hands over the queue. If loading fails, the next call tries again. */
  readonly start: () => Promise<void>;
}

export function createLazyAnalytics({ store, load, about, deviceUuid, backend }: LazyAnalyticsParts): LazyAnalytics {
  let analytics: Analytics | null = null;
  let loading: Promise<Analytics> | null = null;
  let place: string | null | undefined;
  const untold: ((there: Analytics) => void)[] = [];
  const tell: LazyAnalytics["tell"] = (what) => {
    if (analytics === null) untold.push(what);
    else what(analytics);
  };
  return {
    tell,
    track({ eventType, payload }) {
      // At least the time, so that the sequence also ascends across pages without storage.
      const sequence = Math.max((Number(store.get("eventSequence")) || 0) + 1, Date.now());
      store.set("eventSequence", String(sequence));
      const id = timeOrderedId(Date.now(), crypto.randomUUID());
      const event = { eventType, payload: { ...about(), ...payload }, id, at: new Date().toISOString(), sequence };
      // Stored at once: a page that is closed offline would lose it.
      if (analytics === null) storeEarlyEvent(store, event);
      tell((there) => there.add(event));
    },
    report: (error) => tell((there) => there.report(error)),
    locate(country) {
      place = country;
      analytics?.locate(country);
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
        for (const what of untold.splice(0)) what(analytics);
        if (place !== undefined) analytics.locate(place);
      } catch {
        loading = null;
      }
    },
  };
}
