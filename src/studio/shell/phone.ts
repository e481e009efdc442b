/** Whether the screen is a phone's, for what stands in another order there. Its width is that of the style sheets. */
import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 640px)");

function hear(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

export const usePhone = (): boolean => useSyncExternalStore(hear, () => narrow.matches);
