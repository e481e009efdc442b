/** Leaving: the device forgets the person at once, the server ends the session as soon as it hears of it (spec 000 §4, "Logout or reset"). */
import { initialState } from "#core/questionnaire/step.ts";
import type { Services } from "../services.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { isSignedIn, personalKeys } from "../device/storage.ts";
import type { WebSite } from "../siteContext.tsx";

/** How long the device waits for the server to hear of it, ms. */
const waitForServer = 2_000;

/** Starting over forgets the person, and leaves what was chosen about cookies and the look (spec 001 §2, "Home redirect screen"). */
const startingOver = personalKeys.filter((key) => key !== "consent" && key !== "theme");

/** Resolves when the device has forgotten; the server was told, if it could be. */
export async function logOut({ api, store }: Pick<Services, "api" | "store">, keys = personalKeys): Promise<void> {
  const refreshToken = store.get("refreshToken") ?? undefined;
  // The call carries the token that goes afterwards.
  const told = api.call("logout", { body: { refreshToken } }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, waitForServer))]);
  forgetPerson(store, keys);
}

/** Ends the visit of whoever was here, on this page too: nothing of it is kept again, and nothing brings it back from the server. */
export async function startOver({ session, services }: Pick<WebSite, "session" | "services">): Promise<void> {
  const { store } = services;
  if (isSignedIn(store)) {
    // What waits to be saved is the account's.
    await Promise.race([session.flush(true).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, waitForServer))]);
    await logOut(services, startingOver);
  }
  session.adopt(initialState(session.compiled));
  forgetPerson(store, startingOver);
}

/** Clears exactly the keys that are about a person; the device's own store stays, without the person's id in it. */
export function forgetPerson(store: Services["store"], keys = personalKeys): void {
  const device = readDevice(store);
  if (device?.brazeUserId !== undefined) saveDevice(store, { ...device, brazeUserId: undefined });
  for (const key of keys) store.remove(key);
}
