/** Keys that mean the same on every screen. A field that is typed into keeps its own. */
import { useEffect, useEffectEvent } from "react";

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(?:radio|checkbox|button|submit)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether something floats above the screen: then the screen's keys rest. */
export const isCovered = (): boolean => document.querySelector("dialog[open], [role=menu], [role=listbox][data-floating]") !== null;

/** Calls `press` for keys without Ctrl, Alt or Meta that nobody typed into a field; true means the key was used. */
export function useKeys(press: (key: string, event: KeyboardEvent) => boolean, active = true): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return;
    if (press(event.key, event)) event.preventDefault();
  });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent) => hear(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [active]);
}
