import type { KeyValueStore } from "./storage.ts";
import { storedUser } from "./storedState.ts";

export const unknownAddress = "unknown";

/** The signed-in account's address. The stored `signupEmail` is the last typed one: it may be another person's (spec 001 §8). */
export function accountAddress(store: KeyValueStore): string {
  const { uuid, email } = storedUser(store);
  // A login stores its account's id in the configuration. The state may still be another person's.
  return (uuid && store.get("config")?.includes(uuid) && email) || store.get("signupEmail") || unknownAddress;
}
