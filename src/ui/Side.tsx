/**
 * The side card of a wide page (from 992 px: heading across, content left, side card right). A block wraps content in `Side`. On a wide
 * page with a side card the content moves there, else it stays in place.
 */
import { createContext, use, useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

/** The element in the page's side card that takes the content; null while there is none. */
export const SideSlot = createContext<HTMLElement | null>(null);

const wide = "(min-width: 992px)";

function onWidthChange(changed: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

export function Side({ children }: { readonly children: ReactNode }) {
  const slot = use(SideSlot);
  const isWide = useSyncExternalStore(
    onWidthChange,
    () => matchMedia(wide).matches,
    () => false,
  );
  return slot !== null && isWide ? createPortal(<div data-side="">{children}</div>, slot) : children;
}
