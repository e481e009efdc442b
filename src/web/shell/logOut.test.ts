import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Api } from "../api/client.ts";
import { fakeApi } from "../session/fakeApi.ts";
import { readDevice, saveDevice } from "../device/device.ts";
import { memoryStore, storageKeys } from "../device/storage.ts";
import { logOut } from "./logOut.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A device with a value under every storage key. */
function fullDevice() {
  const store = memoryStore();
  for (const key of storageKeys) store.set(key, `kept ${key}`);
  saveDevice(store, { deviceUuid: "d", country: "MX", brazeUserId: "u" });
  return { store, left: () => storageKeys.filter((key) => store.get(key) !== null) };
}
const ofDevice = ["oldOSWarning", "eventSequence", "earlyEvents", "purchaseReported", "parlando"];

test("logging out ends the session at the server and clears tokens, configuration, typed fields, payment, theme, consent and answers", async () => {
  const { store, left } = fullDevice();
  const api = fakeApi({ logout: () => ({}) });
  await logOut({ api, store });
  expect(api.calls).toEqual([["logout", { refreshToken: "kept refreshToken" }]]);
  expect(left()).toEqual(ofDevice);
  expect(readDevice(store)).toEqual({ deviceUuid: "d", country: "MX" });
});

test("the device is cleared even if the call fails or never ends", async () => {
  const hanging: Api = { call: () => new Promise(() => {}) };
  for (const api of [fakeApi({}), hanging]) {
    const { store, left } = fullDevice();
    const out = logOut({ api, store });
    await vi.runAllTimersAsync();
    await out;
    expect(left()).toEqual(ofDevice);
  }
});
