/** Timers for animations and waits. Durations are in milliseconds. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** The longest wait with reduced motion. */
export const reducedWait = 400;

/** The duration of a wait, shortened with reduced motion. */
export function waitFor(duration: number, reduced: boolean): number {
  return reduced ? Math.min(duration, reducedWait) : duration;
}

const reducedMotionQuery = "(prefers-reduced-motion: reduce)";

function watchReducedMotion(onChange: () => void) {
  const query = matchMedia(reducedMotionQuery);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** Whether the visitor prefers reduced motion; false on the server. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    watchReducedMotion,
    () => matchMedia(reducedMotionQuery).matches,
    () => false,
  );
}

/** Calls back once after `delay`. Null means never; a new delay restarts. The callback sees the latest props. */
export function useTimeout(callback: () => void, delay: number | null): void {
  const onTime = useEffectEvent(callback);
  useEffect(() => {
    if (delay === null) return;
    const timer = setTimeout(() => onTime(), delay);
    return () => clearTimeout(timer);
  }, [delay]);
}

/** `useTimeout` as an element: a new key restarts it. */
export function Timer({ delay, onTime }: { readonly delay: number | null; readonly onTime: () => void }): null {
  useTimeout(onTime, delay);
  return null;
}

/** Calls back every `interval`. Null stops it; a new interval restarts. The callback sees the latest props. */
export function useInterval(callback: () => void, interval: number | null): void {
  const onTick = useEffectEvent(callback);
  useEffect(() => {
    if (interval === null) return;
    const timer = setInterval(() => onTick(), interval);
    return () => clearInterval(timer);
  }, [interval]);
}

/** Calls back each time that the condition becomes true. The callback sees the latest props. */
export function useWhen(holds: boolean, callback: () => void): void {
  const onHold = useEffectEvent(callback);
  useEffect(() => {
    if (holds) onHold();
  }, [holds]);
}
