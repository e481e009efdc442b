/** An event on its way from the page to the outbox. */
import type { EventType, SentEvent } from "#core/events.ts";

/** An event as pages create it. It is checked against `core/events.ts` before it is sent. */
export interface PageEvent {
  readonly eventType: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
}
/** An event with its unique id, the device's time and its sequence number on the device. */
export type WaitingEvent = PageEvent & Pick<SentEvent, "id" | "at"> & { readonly sequence: number };
