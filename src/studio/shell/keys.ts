/** Keyboard shortcuts. They do not apply while a field has the focus. */
import { type RefObject, useEffect, useEffectEvent } from "react";

/** The keys of the studio, as its help (`?`) lists them. */
export const keyNames: readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, does: string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["Ctrl K", "Search a screen, a command or a person"],
      ["/", "Search on this screen"],
      ["G, then a letter", "Open a screen: T Today, F Funnel, V Versions, P People, M Money, O Operations, S Settings"],
      ["?", "This list"],
      ["Esc", "Close what was opened last, or go back"],
    ],
  },
  {
    title: "In lists",
    keys: [
      ["J  K", "Next, previous row. From the end of a list J goes on in the next one"],
      ["Enter", "Open the row"],
      ["Esc", "Close it"],
    ],
  },
  {
    title: "In a visit",
    keys: [
      ["Space", "Play, pause"],
      ["←  →", "Screen before, next screen"],
      ["J  K", "Next, previous visit of the list"],
      ["Esc", "Back to where you came from"],
    ],
  },
];

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(?:radio|checkbox|button|submit|range)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether a dialog or menu covers the element (default: the screen). Its shortcuts are off then. */
export const isCovered = (own: Element | null = null): boolean =>
  [...document.querySelectorAll("dialog[open], [role=menu], [role=listbox][data-floating]")].some((cover) => !cover.contains(own));

/** The lists with `data-keys` of the open dialog, or else of the screen, in order: the one with `data-keys="first"` before all others. */
function listsAround(list: Element): readonly Element[] {
  const lists = [...(list.closest("dialog") ?? document).querySelectorAll("[data-keys]")];
  const isFirst = (each: Element) => Number(each.getAttribute("data-keys") === "first");
  return lists.toSorted((a, b) => isFirst(b) - isFirst(a));
}

/** Whether this list handles J and K. Of several lists, the one with the focus does, or else the first. */
export function hearsKeys(list: Element | null): boolean {
  if (list === null) return false;
  const lists = listsAround(list);
  return list === (lists.find((each) => each.contains(document.activeElement)) ?? lists[0]);
}

/** The rows of a list: elements with `data-row`, which take the focus. */
const rowsOf = (list: Element): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[data-row]")];

/** Focuses the first row of the next list, or the last row of the previous one. Lists without rows are passed over. */
export function leaveList(list: Element | null, forward: boolean): void {
  if (list === null) return;
  const lists = listsAround(list).filter((each) => each === list || rowsOf(each).length > 0);
  const next = lists[lists.indexOf(list) + (forward ? 1 : -1)];
  if (next === undefined) return;
  rowsOf(next)
    .at(forward ? 0 : -1)
    ?.focus();
}

/** J and K in a list that is no table. Its rows are links or buttons with `data-row`, which Enter opens. */
export function useListKeys(list: RefObject<Element | null>, active = true): void {
  useKeys(
    (key) => {
      if ((key !== "j" && key !== "k") || list.current === null || !hearsKeys(list.current)) return false;
      const rows = rowsOf(list.current);
      const at = rows.findIndex((row) => row === document.activeElement);
      const next = rows[at === -1 ? (key === "j" ? 0 : rows.length - 1) : at + (key === "j" ? 1 : -1)];
      if (next === undefined) leaveList(list.current, key === "j");
      else next.focus();
      return true;
    },
    active,
    list,
  );
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
