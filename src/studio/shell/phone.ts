/** Whether the screen is as narrow as a phone, for elements whose order differs there. The style sheets use the same width. */
import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 640px)");

function hear(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

export const usePhone = (): boolean => useSyncExternalStore(hear, () => narrow.matches);
