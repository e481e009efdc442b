/** Whether a sensitive screen must ask for a new sign-in, because the session is no longer fresh. */
import { useSyncExternalStore } from "react";

let required = false;
const listeners = new Set<() => void>();
function set(next: boolean): void {
  required = next;
  for (const notify of listeners) notify();
}
export const requireSignIn = () => set(true);
export const clearSignInRequired = () => set(false);
export const isSignInRequired = () => required;
export const useSignInRequired = (): boolean =>
  useSyncExternalStore((notify) => {
    listeners.add(notify);
    return () => listeners.delete(notify);
  }, isSignInRequired);
