/** What reaches the data layer and the operator (spec 000 §7, §8; spec 001 §9). */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { outsideSchema } from "#core/outside.ts";
import { endpoints } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ClientConfig, defaultClientConfig } from "../clientConfig.ts";
import { silentServices } from "../services.ts";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { frozenSession, renderedSnapshot } from "../session/session.ts";
import type { Device } from "../device/device.ts";
import { countingStore } from "../device/counting.ts";
import { memoryStore } from "../device/storage.ts";
import { webSite } from "../siteContext.tsx";
import { startAnalytics } from "./analytics.ts";

// No third-party service is called, and nothing waits for an idle page.
vi.mock(import("../outside/outside.ts"), async (original) => ({
  ...(await original()),
  calm: () => Promise.resolve(),
  loadScript: () => Promise.resolve(),
}));
const address = location.href;
beforeEach(() => void Reflect.set(window, "dataLayer", []));
afterEach(() => {
  history.replaceState(null, "", address);
  document.body.replaceChildren();
  Reflect.deleteProperty(window, "dataLayer");
});

const product = {
  productId: "3M-subscription-MXN",
  productType: "subscription",
  productPlan: "3M",
  trialDays: 7,
  priceId: "pri",
  quantity: 1,
  currency: "MXN",
  price: 74_700,
  listPrice: 99_900,
  frequency: 1,
  paymentProvider: "paddlebilling",
} as const;

async function watched(path: string, client: Partial<ClientConfig> = {}) {
  let device: Device = { deviceUuid: "d" };
  history.replaceState(null, "", path);
  const texts = uiTexts("es-419");
  const services = silentServices();
  const api = fakeApi({ sendEvent: () => ({ accepted: 1 }), reportError: () => ({}) });
  const site = webSite({
    locale: "es-419",
    texts,
    loadMoreTexts: async () => texts,
    loadLaterContents: async () => null,
    session: frozenSession(compile(smallQuestionnaire), renderedSnapshot(compile(smallQuestionnaire), mexico, "")),
    services: {
      ...services,
      api,
      store: memoryStore(),
    },
    client: { ...defaultClientConfig, ...client },
    bare: false,
  });
  const analytics = await startAnalytics({
    counting: countingStore(memoryStore()),
    site,
    device: () => device,
    setDevice: (change) => void (device = { ...device, ...change }),
    answersAtStart: [],
    styles: () => Promise.resolve(),
  });
  const event = (eventType: "CampaignEvent" | "PurchaseFlow", payload: Record<string, unknown>) =>
    analytics.add({ eventType, payload, id: crypto.randomUUID(), at: "2026-11-20T10:00:00.000Z", sequence: 1 });
  const layer: unknown = Reflect.get(window, "dataLayer");
  const pushed = (...names: readonly string[]) =>
    (Array.isArray(layer) ? layer : []).filter((entry: { readonly event?: string }) => names.includes(entry.event ?? ""));
  return { analytics, event, pushed, api, device: () => device };
}

test("the home page is pushed with its locale, other pages are not", async () => {
  const { analytics, pushed } = await watched(buildPath("legal/privacy", "es-419"));
  analytics.arrived(buildPath("legal/privacy", "es-419"));
  expect(pushed("homepage")).toEqual([]);
  for (const path of ["/", buildPath("home", "es-419")]) analytics.arrived(path);
  expect(pushed("homepage")).toEqual(Array.from({ length: 2 }, () => ({ event: "homepage", locale: "es-419" })));
});

test("in-app messages use the stored id, or anon-user without one (spec 001 §7)", async () => {
  const changeUser = vi.fn();
  const silent = () => {};
  const names = ["initialize", "showInAppMessage", "openSession", "removeSubscription", "disableSDK", "enableSDK", "wipeData"];
  const subscribeToInAppMessage = vi.fn<(shown: (message: unknown) => void) => void>();
  vi.stubGlobal("braze", { ...Object.fromEntries(names.map((name) => [name, silent])), changeUser, subscribeToInAppMessage });
  const outside = { ...v.parse(outsideSchema, defaultClientConfig.outside), braze: { key: "k", baseUrl: "sdk.fra-01.braze.eu" } };
  const { analytics, device } = await watched(buildPath("home", "es-419"), { outside });
  expect(device().brazeUserId).toBeUndefined();
  analytics.locate("MX");
  await expect.poll(() => device().brazeUserId).toBe("anon-user");
  expect(changeUser.mock.calls).toEqual([["anon-user"]]);
  expect(device().brazeInAppMessage).toBeUndefined();
  for (const [show] of subscribeToInAppMessage.mock.calls) show({});
  expect(device().brazeInAppMessage).toBe(true);
  vi.unstubAllGlobals();
});

test("an unexpected error is pushed and reported to the operator, once", async () => {
  const { analytics, pushed, api } = await watched(buildPath("home", "es-419"));
  const error = new Error("no such button");
  analytics.report(error);
  analytics.report(error);
  expect(pushed("js-exception")).toEqual([{ event: "js-exception", message: "no such button" }]);
  expect(api.calls.filter(([name]) => name === "reportError")).toHaveLength(1);
});

test("the end of a session is no error; another refusal that nobody expected is", async () => {
  const { analytics, pushed, api } = await watched(buildPath("home", "es-419"));
  analytics.report(refusal(1003));
  expect([pushed("js-exception"), api.calls]).toEqual([[], []]);
  analytics.report(refusal(1404));
  expect(api.calls.map(([name]) => name)).toEqual(["reportError"]);
});

test("start, sign-up (with a hashed address) and end are pushed, but not for a state from elsewhere", async () => {
  const { analytics, pushed } = await watched(buildPath("home", "es-419"));
  const fresh = renderedSnapshot(compile(smallQuestionnaire), mexico, "").state;
  const started = { ...fresh, selectedOptions: [{ questionId: 2, optionId: 1 }] };
  const signedUp = { ...started, user: { uuid: "u1", email: " Ana@Example.com" }, signupDone: true };
  const finished = { ...signedUp, finished: true };
  for (const [before, after] of [
    [fresh, started],
    [started, { ...started, days: [1] }],
    [{ ...started, user: signedUp.user }, signedUp],
    [signedUp, finished],
    [finished, { ...finished, days: [1] }],
  ] as const)
    analytics.moved(before, after);
  await expect.poll(() => pushed("me_sign_up")).toHaveLength(1);
  expect(pushed("me_sign_up")).toEqual([
    { event: "me_sign_up", user_id: "u1", email_sha256: "8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11" },
  ]);
  expect(pushed("questionnaire_start", "questionnaire_done")).toEqual([
    { event: "questionnaire_start", questionnaire: "76" },
    { event: "questionnaire_done", questionnaire: "76" },
  ]);
});

test("a failed call is pushed with status, endpoint and message, but not one that sends events or reports (spec 000 §8, decision 051)", async () => {
  const { analytics, pushed } = await watched(buildPath("login/link", "es-419"));
  const before = pushed("me_web_request", "exception").length;
  const error = new Error("503 error");
  for (const name of ["sendEvent", "reportError", "entitlement"] as const)
    analytics.request({ endpoint: endpoints[name].path, status: 503, duration: 12, error });
  expect(pushed("me_web_request", "exception").slice(before)).toEqual([
    { event: "me_web_request", endpoint: "entitlement", status: 503 },
    { event: "exception", endpoint: "entitlement", status: 503, message: "503 error" },
  ]);
});

test("the chosen product is pushed in major units", async () => {
  const { analytics, pushed } = await watched(buildPath("home", "es-419"));
  analytics.product(product);
  expect(pushed("me_web_product")).toEqual([
    { event: "me_web_product", product_id: "3M-subscription-MXN", product_type: "subscription", currency: "MXN", price: 747 },
  ]);
});

test("the checkout's stages are pushed by name, its error as a failed purchase", async () => {
  const { event, pushed } = await watched(buildPath("home", "es-419"));
  for (const stage of ["customer-details", "payment-selection", "payment-selected"]) event("PurchaseFlow", { stage, productId: "p" });
  event("PurchaseFlow", { stage: "error", error: "declined" });
  expect(pushed("me_web_checkout").map(({ stage }) => stage)).toEqual([
    "customer-details",
    "payment-selection",
    "payment-selected",
    "error",
  ]);
  expect(pushed("purchase_fail")).toEqual([{ event: "purchase_fail", message: "declined" }]);
});

test("the extra tracking of question 3 is pushed too", async () => {
  const { event, pushed } = await watched(buildPath("home", "es-419"));
  event("CampaignEvent", { name: "question-3" });
  expect(pushed("questionnaire_question_3")).toEqual([{ event: "questionnaire_question_3", name: "question-3" }]);
});
