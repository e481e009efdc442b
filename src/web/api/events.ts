import { type SentEvent, sentEventSchema } from "#core/events.ts";
import * as v from "valibot";
import type { WaitingEvent } from "../session/outbox.ts";

/** The events as the contract takes them; one that does not fit is reported and left out, so that it does not stop the others. */
export function sendable(events: readonly WaitingEvent[], report: (error: unknown) => void): SentEvent[] {
  return events.flatMap((event) => {
    const checked = v.safeParse(sentEventSchema, event);
    if (checked.success) return [checked.output];
    report(new v.ValiError(checked.issues));
    return [];
  });
}
