import type { MouseEvent } from "react";

/** Whether a click follows its link in this tab: no modifier key, the main button, and nobody has handled it yet. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}
