/** What of a page reaches the data layer, and the operator (spec 000 §7, §8; spec 001 §9). */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { outsideSchema } from "#core/outside.ts";
import { buildPath } from "#core/routes.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionError } from "../api/client.ts";
import { type ClientConfig, defaultClientConfig } from "../clientConfig.ts";
import { silentServices } from "../services.ts";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { frozenSession, renderedSnapshot } from "../session/session.ts";
import type { Device } from "../session/device.ts";
import { memoryStore } from "../session/storage.ts";
import { webSite } from "../siteContext.tsx";
import { startAnalytics } from "./analytics.ts";

// Nobody outside is asked here, and nothing waits until the page is calm.
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
  const offerListeners: (() => void)[] = [];
  const services = silentServices();
  const api = fakeApi({ sendEvent: () => ({ accepted: 1 }), reportError: () => ({}) });
  const site = webSite({
    locale: "es-419",
    texts,
    loadMoreTexts: async () => texts,
    session: frozenSession(compile(smallQuestionnaire), renderedSnapshot(compile(smallQuestionnaire), mexico, "")),
    services: {
      ...services,
      api,
      store: memoryStore(),
      offer: {
        ...services.offer,
        snapshot: () => ({ status: "ready", products: [product], selected: product }),
        subscribe: (listener) => {
          offerListeners.push(listener);
          return () => {};
        },
      },
    },
    client: { ...defaultClientConfig, ...client },
    bare: false,
  });
  const analytics = await startAnalytics({
    site,
    device: () => device,
    setDevice: (change) => void (device = { ...device, ...change }),
    answersAtStart: [],
  });
  const event = (eventType: "CampaignEvent" | "PurchaseFlow", payload: Record<string, unknown>) =>
    analytics.add({ eventType, payload, id: crypto.randomUUID(), at: "2026-11-20T10:00:00.000Z", sequence: 1 });
  const layer: unknown = Reflect.get(window, "dataLayer");
  const pushed = (...names: readonly string[]) =>
    (Array.isArray(layer) ? layer : []).filter((entry: { readonly event?: string }) => names.includes(entry.event ?? ""));
  return { analytics, event, pushed, api, device: () => device, offerChanged: () => offerListeners.forEach((tell) => tell()) };
}

test("the home page is told with its locale, other pages are not", async () => {
  expect((await watched(buildPath("home", "es-419"))).pushed("homepage")).toEqual([{ event: "homepage", locale: "es-419" }]);
  Reflect.set(window, "dataLayer", []);
  expect((await watched(buildPath("legal/privacy", "es-419"))).pushed("homepage")).toEqual([]);
});

test("in-app messages run under the id that the device keeps, anon-user while nobody is known (spec 001 §7)", async () => {
  const changeUser = vi.fn();
  const silent = () => {};
  const names = ["initialize", "subscribeToInAppMessage", "showInAppMessage", "openSession", "disableSDK", "enableSDK", "wipeData"];
  vi.stubGlobal("braze", { ...Object.fromEntries(names.map((name) => [name, silent])), changeUser });
  const outside = { ...v.parse(outsideSchema, defaultClientConfig.outside), braze: { key: "k", baseUrl: "sdk.fra-01.braze.eu" } };
  const { analytics, device } = await watched(buildPath("home", "es-419"), { outside });
  expect(device().brazeUserId).toBeUndefined();
  analytics.locate("MX");
  await expect.poll(() => device().brazeUserId).toBe("anon-user");
  expect(changeUser.mock.calls).toEqual([["anon-user"]]);
  vi.unstubAllGlobals();
});

test("a call is told with its status and how long it took; one that failed also with endpoint and message, one without an answer as 0", async () => {
  const { analytics, pushed } = await watched(buildPath("home", "es-419"));
  analytics.request("geo", Promise.resolve({}));
  analytics.request("login", Promise.reject(refusal(1001)));
  analytics.request("entitlement", Promise.reject(new ConnectionError("/api/entitlement", null)));
  await expect.poll(() => pushed("me_web_request")).toHaveLength(3);
  expect(pushed("me_web_request").map(({ status }) => status)).toEqual([200, 401, 0]);
  expect(pushed("me_web_request_duration")).toHaveLength(3);
  for (const { duration } of pushed("me_web_request_duration")) expect(duration).toBeTypeOf("number");
  expect(pushed("exception")).toEqual([
    { event: "exception", status: 401, endpoint: "login", message: refusal(1001).message },
    { event: "exception", status: 0, endpoint: "entitlement", message: "No answer from /api/entitlement" },
  ]);
});

test("an error nobody expected is told, and reported to the operator, once", async () => {
  const { analytics, pushed, api } = await watched(buildPath("home", "es-419"));
  const error = new Error("no such button");
  analytics.report(error);
  analytics.report(error);
  expect(pushed("js-exception")).toEqual([{ event: "js-exception", message: "no such button" }]);
  expect(api.calls.filter(([name]) => name === "reportError")).toHaveLength(1);
});

test("the chosen product is told once, in major units", async () => {
  const { pushed, offerChanged } = await watched(buildPath("home", "es-419"));
  offerChanged();
  offerChanged();
  expect(pushed("me_web_product")).toEqual([
    { event: "me_web_product", product_id: "3M-subscription-MXN", product_type: "subscription", currency: "MXN", price: 747 },
  ]);
});

test("the checkout's stages are told by name, and its error as a purchase that failed", async () => {
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

test("the extra tracking of question 3 is told too", async () => {
  const { event, pushed } = await watched(buildPath("home", "es-419"));
  event("CampaignEvent", { name: "question-3" });
  expect(pushed("questionnaire_question_3")).toEqual([{ event: "questionnaire_question_3", name: "question-3" }]);
});
