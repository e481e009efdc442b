import { type KeyValueStore, storedFields } from "./storage.ts";
import { storedUser } from "./storedState.ts";

export const unknownAddress = "unknown";

/**
 * The signed-in account's address. `signupEmail` is something else: the last typed address, which may be another person's (spec 001 §8). It is used only on a
 * device that knows no other.
 */
export function accountEmail(store: KeyValueStore): string | null {
  // A login or refresh stores its account in the configuration. The state may still be another person's, or lack the address.
  const account = storedFields(store, "config");
  const { uuid, email } = storedUser(store);
  if (uuid !== undefined && uuid === account["uuid"] && email) return email;
  return typeof account["email"] === "string" ? account["email"] : store.get("signupEmail");
}

/** For texts that name the address; `unknownAddress` selects a wording without. */
export function accountAddress(store: KeyValueStore): string {
  return accountEmail(store) ?? unknownAddress;
}
