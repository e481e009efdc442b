import { accountOf } from "../api/claims.ts";
import type { KeyValueStore } from "../device/storage.ts";
import { readState } from "../device/storedState.ts";

/** The signed-in account's address. The stored `signupEmail` is the last typed one: it may be another person's (spec 001 §8). */
export function accountAddress(store: KeyValueStore): string {
  const user = readState(store)?.user;
  const own = user?.uuid !== undefined && user.uuid === accountOf(store.get("token")) ? user.email : undefined;
  return own ?? store.get("signupEmail") ?? "unknown";
}
