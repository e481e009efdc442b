/** Keyboard shortcuts. They do not apply while a field has the focus. */
import { type RefObject, useEffect, useEffectEvent } from "react";

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(?:radio|checkbox|button|submit)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether a dialog or menu covers the element (default: the screen). Its shortcuts are off then. */
export const isCovered = (own: Element | null = null): boolean =>
  [...document.querySelectorAll("dialog[open], [role=menu], [role=listbox][data-floating]")].some((cover) => !cover.contains(own));

/** Whether this list handles J and K. Of several lists with `data-keys`, the one with the focus does, or else the first. */
export function hearsKeys(list: Element | null): boolean {
  const lists = [...(list?.closest("dialog") ?? document).querySelectorAll("[data-keys]")];
  return list !== null && list === (lists.find((each) => each.contains(document.activeElement)) ?? lists[0]);
}

/**
 * Calls `press` for keys without Ctrl, Alt or Meta outside fields. It returns true when it has handled the key. `own` limits the keys to an
 * element; without it they belong to the screen and do not work while a dialog is open.
 */
export function useKeys(press: (key: string, event: KeyboardEvent) => boolean, active = true, own?: RefObject<Element | null>): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered(own?.current))
      return;
    if (press(event.key, event)) event.preventDefault();
  });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent) => hear(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [active]);
}
