/** The failed payment's page, opened again once another try has been paid (spec 001 §2, "Other screens"). */
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { expect, test, vi } from "vitest";
import { memoryStore } from "../../../device/storage.ts";
import { page } from "./page.tsx";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../../../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));

const thanks = buildPath("questionnaire/thank-you", "es-419", { version: "76" });

async function opened(paymentStatus: string, token: string | null = "t") {
  went.mockReset();
  const store = memoryStore();
  if (token !== null) store.set("token", token);
  store.set("questionnaireVersion", "76");
  store.set("paymentStatus", paymentStatus);
  await mount(testSite({ services: { store } }), <page.View params={{}} />);
  return store;
}
const ways = () => went.mock.calls.map(([path]) => path);

test("a buyer whose second try was paid does not read that nothing was charged: Back leads to the thank-you page", async () => {
  await opened("completed");
  expect(ways()).toEqual([thanks]);
});

test("while the second try's payment is being confirmed, Back leads to the page that waits for it", async () => {
  await opened("pending");
  expect(ways()).toEqual([buildPath("questionnaire/post-purchase", "es-419", { version: "76" })]);
});

test("so does Back to a page that the browser has kept", async () => {
  const store = await opened("cancelled");
  expect(ways()).toEqual([]);
  store.set("paymentStatus", "completed");
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  expect(ways()).toEqual([thanks]);
});

test("a payment that failed, and a device that is not signed in, stay on the page", async () => {
  await opened("cancelled");
  expect(ways()).toEqual([]);
  await opened("failed");
  expect(ways()).toEqual([]);
  await opened("completed", null);
  expect(ways()).toEqual([]);
});
