import type { KeyboardEvent } from "react";

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/**
 * Moves the focus among matching elements with arrow keys, Home and End, in a circle, without choosing. Handles the key events of the element
 * around them.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const elements = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = elements.findIndex((element) => element === event.target);
  const to = at < 0 ? undefined : moves[event.key]?.(at, elements.length);
  if (to === undefined) return;
  event.preventDefault();
  elements[to]?.focus();
}
