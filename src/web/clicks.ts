import type { MouseEvent } from "react";

/** A click that means "go there": not one that asks for a new tab or window, and not one that was taken already. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}
