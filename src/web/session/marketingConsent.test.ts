import { initialState } from "#core/questionnaire/step.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { savedState } from "#core/questionnaire/saved.ts";
import { smallQuestionnaire } from "#test/questionnaires.ts";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createApi } from "../api/client.ts";
import { type KeyValueStore, memoryStore, personalKeys, saveTokens } from "../device/storage.ts";
import { sendMarketingConsent } from "./marketingConsent.ts";

const expired = `h.${btoa(JSON.stringify({ exp: 1 }))}.s`;
const ended = { code: 1003, message: "The session is over" };

/** What the device keeps of an answer whose call waits for another call's renewal, which the server refuses after `meanwhile`. */
async function kept(meanwhile: (store: KeyValueStore) => void): Promise<string | null> {
  const store = memoryStore();
  saveTokens(store, { token: expired, refreshToken: "r1" });
  const state = { ...initialState(compile(smallQuestionnaire)), signupDone: true, user: { uuid: "u1", email: "ana@example.com" } };
  store.set("questionnaireState", JSON.stringify(savedState(state)));
  const api = createApi({
    fetch: () => {
      meanwhile(store);
      return Promise.resolve(new Response(JSON.stringify(ended), { status: 401 }));
    },
    store,
    deviceUuid: "device-1",
    language: "es-419",
    base: () => Promise.resolve("/api"),
    backends: ["/api"],
    callBackend: () => undefined,
    now: () => new Date("2026-11-20T10:00:00Z"),
    onSignedOut: () => undefined,
    watch: () => undefined,
  });
  const saved = api.call("entitlement");
  void sendMarketingConsent({ api, store }, true);
  await expect(saved).rejects.toThrow();
  await setImmediate();
  return store.get("marketingConsentDue");
}

test("the answer on news is kept for the next login, also if another call finds the session over while its call waits", async () => {
  expect(await kept(() => undefined)).toBe("Yes");
});

test("the answer on news is not kept after a logout in another tab: the next login may be somebody else's", async () => {
  expect(await kept((store) => personalKeys.forEach((key) => store.remove(key)))).toBe(null);
});
