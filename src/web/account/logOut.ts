/** Logout and reset: clears the personal data on the device and ends the session on the server (spec 000 §4, "Logout or reset"). */
import { initialState } from "#core/questionnaire/step.ts";
import type { Services } from "../services.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { isSignedIn, personalKeys } from "../device/storage.ts";
import type { WebSite } from "../siteContext.tsx";

/** The longest wait for the server, ms. */
const waitForServer = 2_000;

/** The keys that starting over clears. It keeps consent and theme (spec 001 §2, "Home redirect screen"). */
const startingOver = personalKeys.filter((key) => key !== "consent" && key !== "theme");

/** Resolves when the device's data is cleared. The server is told if it can be reached. */
export async function logOut({ api, store }: Pick<Services, "api" | "store">, keys = personalKeys): Promise<void> {
  const refreshToken = store.get("refreshToken") ?? undefined;
  // The call needs the token, which is cleared afterwards.
  const told = api.call("logout", { body: { refreshToken } }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, waitForServer))]);
  clearPersonalData(store, keys);
}

/** Ends the previous visit, in this page's session too, so that neither the page nor the server can restore it. */
export async function startOver({ session, services }: Pick<WebSite, "session" | "services">): Promise<void> {
  const { store } = services;
  if (isSignedIn(store)) {
    // Pending changes belong to the account, so they are saved first.
    await Promise.race([session.flush(true).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, waitForServer))]);
    await logOut(services, startingOver);
  }
  session.adopt(initialState(session.compiled));
  clearPersonalData(store, startingOver);
}

/** Clears the personal keys. The device store stays, without the person's id. */
export function clearPersonalData(store: Services["store"], keys = personalKeys): void {
  const device = readDevice(store);
  if (device?.brazeUserId !== undefined) saveDevice(store, { ...device, brazeUserId: undefined });
  for (const key of keys) store.remove(key);
}
