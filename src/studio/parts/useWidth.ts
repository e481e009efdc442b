import { useCallback, useState } from "react";

/** A ref, and the width of its element in px; `before` until it is measured. */
export function useWidth(before: number): readonly [(element: Element | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(before);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
