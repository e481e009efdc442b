import type { Api } from "../api/client.ts";
import { readState } from "../device/readState.ts";
import { isSignedIn, type KeyValueStore } from "../device/storage.ts";

/**
 * Sends the answer on news by e-mail. Where the session is over, or the call finds it over, the device keeps the answer, and the next login
 * sends it (`afterLogin.ts`). Other failures are ignored (spec 001 §7): without a recorded answer there is no consent.
 */
export async function sendMarketingConsent(
  { api, store }: { readonly api: Pick<Api, "call">; readonly store: KeyValueStore },
  consent: boolean,
): Promise<void> {
  // No dialog of another version asks again.
  store.remove("marketingConsentDue");
  const keep = () => store.set("marketingConsentDue", consent ? "Yes" : "No");
  if (!isSignedIn(store)) return keep();
  const account = () => readState(store)?.user.uuid;
  const before = account();
  const onSessionOver = () => {
    // After a logout in another tab, the next login may be somebody else's.
    if (account() === before) keep();
  };
  try {
    await api.call("marketingConsent", { body: { consent }, onSessionOver });
  } catch (error) {
    if (isSignedIn(store)) return;
    onSessionOver();
    throw error;
  }
}
