/** Keyboard shortcuts. They do not apply while a field has the focus. */
import { useEffect, useEffectEvent } from "react";

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(?:radio|checkbox|button|submit)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether a dialog or menu is open: the screen's shortcuts are off then. */
export const isCovered = (): boolean => document.querySelector("dialog[open], [role=menu], [role=listbox][data-floating]") !== null;

/** Calls `press` for keys without Ctrl, Alt or Meta outside fields. It returns true when it has handled the key. */
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
