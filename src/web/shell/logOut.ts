/** Logout and reset: clears the personal data on the device and ends the session on the server (spec 000 §4, "Logout or reset"). */
import { buildPath } from "#core/routes.ts";
import { initialState } from "#core/questionnaire/step.ts";
import type { Services } from "../services.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { readState } from "../device/readState.ts";
import { isSignedIn, personalKeys } from "../device/storage.ts";
import { goToPath } from "../navigation.ts";
import type { WebSite } from "../siteContext.tsx";

/** The longest wait for the server, ms. */
const waitForServer = 2_000;

/** The keys that starting over clears. It keeps consent and theme (spec 001 §2, "Home redirect screen"). */
const startingOver = personalKeys.filter((key) => key !== "consent" && key !== "theme");

/** Ends the session on the server, if it can be reached. The call needs the token, so the device's data is cleared or replaced afterwards. */
export async function endSession({ api, store }: Pick<Services, "api" | "store">): Promise<void> {
  const refreshToken = store.get("refreshToken") ?? undefined;
  const told = api.call("logout", { body: { refreshToken }, quietly: true }).catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, waitForServer))]);
}

/** Keys that say where a login leads. */
const leadsOn: readonly string[] = ["questionnaireTarget", "discount"];

/** Before an account's session is stored: ends another account's on this device and clears its data, which must not count as this account's. */
export async function leaveOther(services: Pick<Services, "api" | "store">, uuid: string): Promise<void> {
  const { store } = services;
  if (isSignedIn(store)) await endSession(services);
  if (readState(store)?.user.uuid !== uuid) clearOther(store);
}

/** Clears another account's data, except the keys that say where the login leads. */
export function clearOther(store: Services["store"]): void {
  clearPersonalData(
    store,
    personalKeys.filter((key) => !leadsOn.includes(key)),
  );
}

/** Resolves when the device's data is cleared. The server is told if it can be reached. */
export async function logOut(services: Pick<Services, "api" | "store">, keys = personalKeys): Promise<void> {
  await endSession(services);
  clearPersonalData(services.store, keys);
}

/** Logs out and shows the home page. */
export async function leave(site: Pick<WebSite, "session" | "services" | "locale">): Promise<void> {
  await endVisit(site, personalKeys);
  goToPath(buildPath("home", site.locale), { locale: site.locale, version: site.session.compiled.definition.id });
}

/** Ends the previous visit, in this page's session too, so that neither the page nor the server can restore it. */
export const startOver = (site: Pick<WebSite, "session" | "services">): Promise<void> => endVisit(site, startingOver);

async function endVisit({ session, services }: Pick<WebSite, "session" | "services">, keys: typeof personalKeys): Promise<void> {
  const { store } = services;
  if (isSignedIn(store)) {
    // Pending changes belong to the account, so they are saved first.
    await Promise.race([session.flush(true, true).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, waitForServer))]);
    await logOut(services, keys);
  }
  forgetVisit({ session, services }, keys);
}

/** Clears the device's data and this page's answers, so that no later save stores them again. */
export function forgetVisit({ session, services }: Pick<WebSite, "session" | "services">, keys = personalKeys): void {
  session.adopt(initialState(session.compiled));
  clearPersonalData(services.store, keys);
}

/**
 * Opens the sign-up for another account, with the answers on this device, after the session of the device's account has ended. Nothing else
 * of the former account stays, and its id is not used for the new account.
 */
export function signUpAnew({ session, services }: Pick<WebSite, "session" | "services">): void {
  const { state } = session.snapshot();
  clearPersonalData(services.store, startingOver);
  session.adopt({ ...state, signupDone: false, finished: false, finishedTimestamp: undefined, user: {} });
}

/** Clears the personal keys. The device store stays, without the person's id. */
export function clearPersonalData(store: Services["store"], keys = personalKeys): void {
  const device = readDevice(store);
  if (device?.brazeUserId !== undefined) saveDevice(store, { ...device, brazeUserId: undefined });
  for (const key of keys) store.remove(key);
}
