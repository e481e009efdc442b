/** Timers of what moves. Durations are milliseconds. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** The longest wait for a visitor who asked for less motion. */
export const reducedWait = 400;

/** A wait's length, shortened for somebody who asked for less motion. */
export function waitFor(duration: number, reduced: boolean): number {
  return reduced ? Math.min(duration, reducedWait) : duration;
}

const reducedMotionQuery = "(prefers-reduced-motion: reduce)";

function watchReducedMotion(onChange: () => void) {
  const query = matchMedia(reducedMotionQuery);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** Whether the visitor asked for less motion; false while the server renders. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    watchReducedMotion,
    () => matchMedia(reducedMotionQuery).matches,
    () => false,
  );
}

/** Calls back once after `delay`; null means never, a new delay starts anew. The callback sees the latest props. */
export function useTimeout(callback: () => void, delay: number | null): void {
  const onTime = useEffectEvent(callback);
  useEffect(() => {
    if (delay === null) return;
    const timer = setTimeout(() => onTime(), delay);
    return () => clearTimeout(timer);
  }, [delay]);
}

/** `useTimeout` as an element: with a new key it starts anew. */
export function Timer({ delay, onTime }: { readonly delay: number | null; readonly onTime: () => void }): null {
  useTimeout(onTime, delay);
  return null;
}

/** Calls back every `interval`; null stops it, a new interval starts anew. The callback sees the latest props. */
export function useInterval(callback: () => void, interval: number | null): void {
  const onTick = useEffectEvent(callback);
  useEffect(() => {
    if (interval === null) return;
    const timer = setInterval(() => onTick(), interval);
    return () => clearInterval(timer);
  }, [interval]);
}

/** Calls back when the condition becomes true, each time. The callback sees the latest props. */
export function useWhen(holds: boolean, callback: () => void): void {
  const onHold = useEffectEvent(callback);
  useEffect(() => {
    if (holds) onHold();
  }, [holds]);
}
