/** Whether the session is stale, so that sensitive screens ask for a sign-in. */
import { useSyncExternalStore } from "react";

let asked = false;
const heard = new Set<() => void>();
function set(next: boolean): void {
  asked = next;
  for (const tell of heard) tell();
}
export const askAgain = () => set(true);
export const stopAsking = () => set(false);
export const askedAgain = () => asked;
export const useAskedAgain = (): boolean =>
  useSyncExternalStore((tell) => {
    heard.add(tell);
    return () => heard.delete(tell);
  }, askedAgain);
