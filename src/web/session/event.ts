/** An event on its way from the page to the outbox. */
import type { EventType, SentEvent } from "#core/events.ts";

/** As the page knows it; the contract's table checks it before it is sent. */
export interface PageEvent {
  readonly eventType: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
}
/** With what it is counted by: an id that counts once, the device's time, and its place among the device's events. */
export type WaitingEvent = PageEvent & Pick<SentEvent, "id" | "at"> & { readonly sequence: number };
