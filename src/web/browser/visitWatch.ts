/** What watches the visit comes after the page is hydrated. Until then what it is told waits here, in its order. */
import { timeOrderedId } from "#core/timeOrderedId.ts";
import type { KeyValueStore } from "../device/storage.ts";
import type { Analytics } from "../analytics/analytics.ts";
import type { PageEvent } from "../session/event.ts";
import { earlyEvents, keepEarly } from "../session/early.ts";

/** What one call takes (core/events.ts, which is not here yet). */
const beaconLimit = 100;

export interface VisitWatchParts {
  readonly store: KeyValueStore;
  readonly load: () => Promise<Analytics>;
  /** Where and for whom an event happens: every one carries it. */
  readonly about: () => PageEvent["payload"];
  readonly deviceUuid: () => string;
  readonly backend: () => string;
}

export interface VisitWatch {
  readonly tell: (what: (there: Analytics) => void) => void;
  readonly track: (event: PageEvent) => void;
  readonly report: (error: unknown) => void;
  /** Where the visitor is; null for unknown. */
  readonly locate: (country: string | null) => void;
  /** The page goes away: what the server may not have goes without waiting. It stays kept too, and counts once. */
  readonly sendLeaving: () => void;
  /** Fetches what watches, and hands over what happened before; what did not come is asked for again when there is a connection. */
  readonly start: () => Promise<void>;
}

export function createVisitWatch({ store, load, about, deviceUuid, backend }: VisitWatchParts): VisitWatch {
  let analytics: Analytics | null = null;
  let loading: Promise<Analytics> | null = null;
  let place: string | null | undefined;
  const untold: ((there: Analytics) => void)[] = [];
  const tell: VisitWatch["tell"] = (what) => {
    if (analytics === null) untold.push(what);
    else what(analytics);
  };
  return {
    tell,
    track({ eventType, payload }) {
      // By the clock, so that it ascends over pages too where nothing is kept.
      const sequence = Math.max((Number(store.get("eventSequence")) || 0) + 1, Date.now());
      store.set("eventSequence", String(sequence));
      const id = timeOrderedId(Date.now(), crypto.randomUUID());
      const event = { eventType, payload: { ...about(), ...payload }, id, at: new Date().toISOString(), sequence };
      // A page that is closed without a line would take it along.
      if (analytics === null) keepEarly(store, event);
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
