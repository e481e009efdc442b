/** Leaving: the device forgets the person at once, the server ends the session as soon as it hears of it (spec 000 §4, "Logout or reset"). */
import type { Services } from "../services.ts";
import { personalKeys } from "../session/storage.ts";

/** How long the device waits for the server to hear of it, ms. */
const waitForServer = 2_000;

/** Resolves when the device has forgotten; the server was told, if it could be. */
export async function logOut({ api, store }: Pick<Services, "api" | "store">): Promise<void> {
  const refreshToken = store.get("refreshToken") ?? undefined;
  // The call carries the token that goes afterwards.
  const told = api.call("logout", { body: { refreshToken } }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, waitForServer))]);
  forgetPerson(store);
}

/** Clears exactly the keys that are about a person; the device's own store stays. */
export function forgetPerson(store: Services["store"]): void {
  for (const key of personalKeys) store.remove(key);
}
