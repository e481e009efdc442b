/** The visitor's plan (spec 001 §4): each status shows its name, the next event and the actions. */
import type { SubscriptionView } from "#core/api.ts";
import { exampleState } from "#blocks/exampleSite.ts";
import type { Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Api } from "../../api/client.ts";
import { type FakeApi, fakeApi, refusal } from "../../session/fakeApi.ts";
import { memoryStore } from "../../device/storage.ts";
import { page } from "./page.tsx";
import { Subscription } from "./Subscription.tsx";

const active: SubscriptionView = {
  status: "active",
  end: "2027-02-20T12:00:00.000Z",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: false,
  nextCharge: "2027-02-20T12:00:00.000Z",
  change: null,
  actions: ["pause", "cancel"],
  timeZone: "America/Mexico_City",
};

async function panelOf(plan: SubscriptionView | null, changed?: SubscriptionView, token: string | null = "t", locale: Locale = "en-US") {
  const store = memoryStore();
  if (token !== null) store.set("token", token);
  const api = fakeApi({
    subscription: () => ({ subscription: plan }),
    subscriptionChange: () => {
      if (changed === undefined) throw new Error("the provider is down");
      return { subscription: changed };
    },
  });
  const site = testSite({ locale, services: { api, store } });
  const element = await mount(site, <Subscription />);
  const text = () => element.textContent?.replaceAll("\u00a0", " ") ?? "";
  const buttons = () => [...element.querySelectorAll("button, a")].map((button) => button.textContent);
  const press = (label: string) =>
    act(async () => [...element.querySelectorAll("button")].find((button) => button.textContent === label)?.click());
  return { element, text, buttons, press, api };
}

const states: readonly (readonly [Partial<SubscriptionView>, string, string, readonly string[]])[] = [
  [{}, "Active", "February 20, 2027", ["Change payment method", "Pause my subscription", "Cancel my subscription"]],
  [{ trialing: true }, "Free trial", "February 20, 2027", ["Change payment method", "Pause my subscription", "Cancel my subscription"]],
  [
    { nextCharge: null, change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep"] },
    "Canceled",
    "February 20, 2027",
    ["Keep my subscription"],
  ],
  [
    { trialing: true, nextCharge: null, change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep"] },
    "Canceled",
    "February 20, 2027",
    ["Keep my subscription"],
  ],
  [
    { nextCharge: null, change: { action: "pause", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep", "cancel"] },
    "Active",
    "February 20, 2027",
    ["Keep my subscription", "Change payment method", "Cancel my subscription"],
  ],
  [
    { status: "paused", nextCharge: null, actions: ["resume", "cancel"] },
    "Paused",
    "",
    ["Resume my subscription", "Change payment method", "Cancel my subscription"],
  ],
  [{ status: "deleted", nextCharge: null, actions: [] }, "Ended", "February 20, 2027", ["Continue my program"]],
  [{ productType: "onetime", nextCharge: null, actions: [] }, "Active", "February 20, 2027", []],
];
test.each(states)("a plan with %j shows its status, date and actions", async (change, status, date, ways) => {
  const panel = await panelOf({ ...active, ...change });
  expect(panel.element.querySelector("[data-status]")?.textContent).toBe(status);
  expect(panel.text()).toContain(date);
  expect(panel.buttons()).toEqual(ways);
});

test.each([
  ["83", "83"],
  [undefined, "90"],
])("continuing after the end in the account's version %s leads to %s: the device's serves only without it", async (own, version) => {
  const store = memoryStore();
  store.set("token", "t");
  store.set("questionnaireVersion", "90");
  const ended: SubscriptionView = { ...active, status: "deleted", nextCharge: null, actions: [], ...(own && { version: own }) };
  const site = testSite({ locale: "en-US", services: { api: fakeApi({ subscription: () => ({ subscription: ended }) }), store } });
  const element = await mount(site, <Subscription />);
  const ways = [...element.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(ways).toContain(buildPath("questionnaire/reactivate-or-new", "en-US", { version }));
});

test("a program paid once says that nothing renews", async () => {
  const panel = await panelOf({ ...active, productType: "onetime", nextCharge: null, actions: [] });
  expect(panel.text()).toContain("It doesn’t renew, so there’s nothing to cancel.");
  expect((await panelOf({ ...active, nextCharge: null, actions: [] })).text()).not.toContain("renew, so");
});

test("the help of a program paid once is not about cancelling and trials", async () => {
  const topicsOf = async (plan: SubscriptionView) => {
    const store = memoryStore();
    store.set("token", "t");
    const site = testSite({ locale: "en-US", services: { api: fakeApi({ subscription: () => ({ subscription: plan }) }), store } });
    const element = await mount(site, <page.View params={{}} />);
    return [...element.querySelectorAll("main nav a, main section[id]")].map((topic) => topic.getAttribute("href") ?? `#${topic.id}`);
  };
  const renewing = ["#cancel", "#trial", "#refund", "#help"];
  expect(await topicsOf(active)).toEqual([...renewing, ...renewing]);
  const once = ["#refund", "#help"];
  expect(await topicsOf({ ...active, productType: "onetime", nextCharge: null, actions: [] })).toEqual([...once, ...once]);
});

test("a subscription that outlives its access shows the next charge and can be cancelled", async () => {
  const nextCharge = "2027-03-20T12:00:00.000Z";
  const panel = await panelOf({ ...active, status: "deleted", nextCharge, actions: ["cancel"] });
  for (const said of ["Your access ended on February 20, 2027", "is on March 20, 2027"]) expect(panel.text()).toContain(said);
  await panel.press("Cancel my subscription");
  expect(panel.text()).toContain("If you cancel now, you won’t be charged again.");
});

test("asks an unknown device to log in again before an action that leads to a charge", async () => {
  const store = memoryStore();
  store.set("token", "t");
  const refused = () => {
    throw refusal(1000, { password: "validator_required" });
  };
  const paused: SubscriptionView = { ...active, status: "paused", nextCharge: null, actions: ["resume"] };
  const api = fakeApi({ subscription: () => ({ subscription: paused }), subscriptionChange: refused, subscriptionCard: refused });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <Subscription />);
  for (const labels of [["Resume my subscription", "Yes, resume it"], ["Change payment method"]]) {
    for (const label of labels)
      await act(async () => [...element.querySelectorAll("button")].find((button) => button.textContent === label)?.click());
    expect(element.querySelector("[role=status]")?.textContent).toContain("log in on this device once more");
  }
});

test("waits for the plan 15 s at most, then shows the failure and a button to try again (spec 001 §9)", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const line = Promise.withResolvers<void>();
  const store = memoryStore();
  store.set("token", "t");
  const answers = fakeApi({ subscription: () => ({ subscription: active }) });
  const asked = vi.fn(() => line.promise);
  const api: Api = {
    async call(...call) {
      await asked();
      return answers.call(...call);
    },
  };
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />);
  const panel = () => element.querySelector("section[aria-labelledby=your-plan]");
  const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  await wait(14_999);
  expect([panel()?.getAttribute("aria-busy"), panel()?.querySelector("button")]).toEqual(["true", null]);
  await wait(1);
  expect([panel()?.getAttribute("aria-busy"), panel()?.querySelector("button")?.textContent]).toEqual(["false", "Try again"]);
  await act(async () => panel()?.querySelector("button")?.click());
  expect([asked.mock.calls.length, panel()?.getAttribute("aria-busy")]).toEqual([2, "true"]);
  // A plan that loads late is still shown.
  await act(async () => line.resolve());
  expect(panel()?.querySelector("[data-status]")?.textContent).toBe("Active");
});

test("a plan with a failed payment asks for another card and names no next payment", async () => {
  const panel = await panelOf({ ...active, status: "past_due", actions: ["cancel"] });
  expect(panel.element.querySelector("[data-status]")?.textContent).toBe("Payment overdue");
  expect(panel.text()).not.toContain("2027");
  expect(panel.buttons()).toEqual(["Change payment method", "Cancel my subscription"]);
});

test("a visitor without a session gets a login link, and no call is sent", async () => {
  const { element, buttons, api } = await panelOf(active, undefined, null);
  expect(buttons()).toEqual(["Log in"]);
  expect(element.querySelector("a")?.getAttribute("href")).toBe(buildPath("login/link", "en-US"));
  expect(api.calls).toEqual([]);
});

test("the page offers a visitor without a session the login before the help", async () => {
  const element = await mount(testSite({ locale: "en-US" }), <page.View params={{}} />);
  const ways = [...element.querySelectorAll("main :is(a, button)")].map(({ textContent }) => textContent);
  expect(ways.slice(0, 2)).toEqual(["Log in", "How do I cancel?"]);
});

test("a visitor without a plan is led back to their question", async () => {
  const { element } = await panelOf(null);
  expect(element.querySelector("a")?.getAttribute("href")).toBe(buildPath("questionnaire/raffle", "en-US"));
});

test("a cancellation needs confirmation, which gets the focus; then the result is shown", async () => {
  const cancelled = {
    ...active,
    nextCharge: null,
    change: { action: "cancel" as const, at: "2027-02-20T12:00:00.000Z" },
    actions: ["keep" as const],
  };
  const panel = await panelOf(active, cancelled);
  await panel.press("Cancel my subscription");
  expect(document.activeElement?.getAttribute("role")).toBe("group");
  expect(panel.api.calls.map(([call]) => call)).toEqual(["subscription"]);
  await panel.press("Yes, cancel it");
  expect(panel.api.calls.at(-1)).toEqual(["subscriptionChange", { action: "cancel" }]);
  expect(document.activeElement?.id).toBe("your-plan");
  expect(panel.element.querySelector("[role=status]")?.textContent).toBe("Done: your subscription is canceled.");
  expect(panel.text().match(/charged/g)).toHaveLength(1);
  expect(panel.buttons()).toEqual(["Keep my subscription"]);
});

test("the question before a cancellation names the end and, for a renewed term that a law shortens, the money back", async () => {
  const asked = async (change: Partial<SubscriptionView>) => {
    const panel = await panelOf({ ...active, ...change }, undefined, "t", "de-DE");
    await panel.press("Mein Abo kündigen");
    return panel.element.querySelector("[role=group]")?.textContent.replaceAll("\u00a0", " ") ?? "";
  };
  expect(await asked({})).toContain("Du hast Zugang bis zum 20. Februar 2027. Danach endet dein Abo");
  expect(await asked({ trialing: true })).toContain("Du hast Zugang bis zum 20. Februar 2027, und es wird nichts mehr abgebucht.");
  const shortened = await asked({ currency: "EUR", earlyEnd: { end: "2026-12-20T12:00:00.000Z", back: 3_980 } });
  expect(shortened).toContain(
    "endet es mit dem laufenden Vertragsmonat am 20. Dezember 2026. Für die Zeit danach bekommst du 39,80 € zurück",
  );
  expect(shortened).not.toContain("Februar");
});

test("a cancelled plan that ends within its renewed term names the money back until then", async () => {
  const panel = await panelOf(
    {
      ...active,
      currency: "EUR",
      nextCharge: null,
      change: { action: "cancel", at: "2026-12-20T12:00:00.000Z" },
      actions: ["keep"],
      refundAtEnd: 3_980,
    },
    undefined,
    "t",
    "de-DE",
  );
  expect(panel.text().replaceAll("\u00a0", " ")).toContain("Für die Zeit danach bekommst du 39,80 € zurück");
});

test("an ended plan names what was refunded", async () => {
  const ended: SubscriptionView = { ...active, status: "deleted", currency: "EUR", nextCharge: null, actions: [] };
  const told = async (refunded: number | null) =>
    (await panelOf({ ...ended, refunded }, undefined, "t", "de-DE")).text().replaceAll("\u00a0", " ");
  expect(await told(9_490)).toContain("Wir haben dir 94,90 € zurückgezahlt.");
  expect(await told(null)).not.toContain("zurückgezahlt");
});

test("a cancellation within the guarantee shows until when to ask for a refund, with a mail link", async () => {
  const cancelled: SubscriptionView = {
    ...active,
    nextCharge: null,
    change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" },
    actions: ["keep"],
    moneyBackUntil: "2026-12-20",
  };
  const panel = await panelOf({ ...active, moneyBackUntil: "2026-12-20" }, cancelled);
  expect(panel.text()).not.toContain("money back");
  await panel.press("Cancel my subscription");
  await panel.press("Yes, cancel it");
  expect(panel.text()).toContain("email info@parlando.example by December 20, 2026");
  expect(panel.element.querySelector("a[href^=mailto]")?.textContent).toBe("Email us");
  expect((await panelOf({ ...cancelled, status: "deleted", change: null, actions: [] })).text()).toContain("December 20, 2026");
  expect((await panelOf({ ...cancelled, moneyBackUntil: null })).buttons()).toEqual(["Keep my subscription"]);
});

test("a plan with a scheduled pause can be cancelled, in one call", async () => {
  const panel = await panelOf(
    { ...active, nextCharge: null, change: { action: "pause", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep", "cancel"] },
    { ...active, nextCharge: null, change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep"] },
  );
  await panel.press("Cancel my subscription");
  await panel.press("Yes, cancel it");
  expect(panel.api.calls.slice(1)).toEqual([["subscriptionChange", { action: "cancel" }]]);
  expect(panel.text()).toContain("You have access until February 20, 2027, and you won’t be charged again.");
});

test("resuming is confirmed with today's charge before anything is charged", async () => {
  const paused: SubscriptionView = { ...active, status: "paused", nextCharge: null, actions: ["resume", "cancel"] };
  const panel = await panelOf(paused, active);
  await panel.press("Resume my subscription");
  expect(panel.api.calls).toHaveLength(1);
  expect(panel.text()).toContain("you pay $747 today");
  expect(panel.buttons()).not.toContain("Resume my subscription");
  await panel.press("No, leave it as it is");
  expect(panel.buttons()).toContain("Resume my subscription");
  await panel.press("Resume my subscription");
  await panel.press("Yes, resume it");
  expect(panel.api.calls.slice(1)).toEqual([["subscriptionChange", { action: "resume" }]]);
  expect(panel.element.querySelector("[role=status]")?.textContent).toBe("Your subscription is active again.");
});

test("the next question removes the last action's result, which would read as its answer", async () => {
  const change = { action: "pause" as const, at: "2027-02-20T12:00:00.000Z" };
  const panel = await panelOf(active, { ...active, nextCharge: null, change, actions: ["keep", "cancel"] });
  await panel.press("Pause my subscription");
  await panel.press("Yes, pause it");
  const status = () => panel.element.querySelector("[role=status]")?.textContent;
  expect(status()).toBe("Done: your subscription will be paused.");
  await panel.press("Cancel my subscription");
  expect(status()).toBe("");
});

test("a paused plan is said to end at once, without a past date", async () => {
  const panel = await panelOf({
    ...active,
    status: "paused",
    end: "2026-10-01T12:00:00.000Z",
    nextCharge: null,
    actions: ["resume", "cancel"],
  });
  await panel.press("Cancel my subscription");
  expect(panel.text()).toContain("it ends right away");
  expect(panel.text()).not.toContain("October 1");
});

test("the card page opens in a new tab, and this page shows its changes when the visitor returns", async () => {
  const owed: SubscriptionView = { ...active, status: "past_due", actions: ["cancel"] };
  let plan = owed;
  const store = memoryStore();
  store.set("token", "t");
  const api = fakeApi({ subscription: () => ({ subscription: plan }), subscriptionCard: () => ({ url: "https://pay.example/card" }) });
  const tab = { opener: window, location: { replace: vi.fn() }, close: vi.fn() };
  vi.stubGlobal("open", () => tab);
  onTestFinished(() => void vi.unstubAllGlobals());
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <Subscription />);
  const comeBack = () => act(async () => document.dispatchEvent(new Event("visibilitychange")));
  await comeBack();
  expect(api.calls).toHaveLength(1);
  await act(async () => element.querySelector("button")?.click());
  expect([tab.location.replace.mock.calls, tab.opener]).toEqual([[["https://pay.example/card"]], null]);
  expect(element.querySelector("[role=status]")?.textContent).toContain("come back here");
  plan = active;
  await comeBack();
  expect(element.querySelector("[data-status]")?.textContent).toBe("Active");
  expect(element.querySelector("[role=status]")?.textContent).toBe("");
});

test("a signed-in visitor sees the next lesson and the plan first, then cancellation, account and help", async () => {
  const store = memoryStore();
  store.set("token", "t");
  store.set("signupEmail", "ana@example.com");
  store.set("questionnaireState", JSON.stringify({ ...exampleState, currentQuestionId: 41 }));
  const api = fakeApi({ subscription: () => ({ subscription: active }) });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />);
  const headings = [...element.querySelectorAll("main :is(h1, h2)")].map(({ textContent }) => textContent);
  expect(headings.slice(0, 5)).toEqual(["Welcome back", "Your next lesson", "Your access", "Your account", "How do I cancel?"]);
  const ways = [...element.querySelectorAll("main :is(a, button)")].map(({ textContent }) => textContent);
  expect(ways.slice(0, 5)).toEqual([
    "Open the app",
    "Change payment method",
    "Pause my subscription",
    "Cancel my subscription",
    "Email, password and data",
  ]);
  const text = element.textContent?.replaceAll("\u00a0", " ");
  expect(text).toContain("as you chose: 20 minutes");
  expect(text).toContain("starts with “Saying hello.”");
  expect(text).toContain("ana@example.com");
  // The menu shows it too, as a row and as a popover.
  const items = [...element.querySelectorAll("header ul a")].filter(({ textContent }) => textContent === "Switch account");
  expect(items.map((item) => item.getAttribute("href"))).toEqual(Array(2).fill(buildPath("login/link", "en-US")));
  expect(element.querySelector("header details p a")?.textContent).toBe("Logged in as ana@example.com");
});

test("a signed-in visitor who typed another address is shown the account's own", async () => {
  const store = memoryStore();
  const uuid = "0b36a7e0-7ab1-4a8e-9a54-6a3a3c1f0b11";
  store.set("token", "t");
  store.set("config", JSON.stringify({ uuid }));
  store.set("signupEmail", "taken@example.com");
  store.set("questionnaireState", JSON.stringify({ ...exampleState, user: { uuid, email: "ana@example.com" } }));
  const api = fakeApi({ subscription: () => ({ subscription: active }) });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />);
  expect(element.querySelector("#your-account + p")?.textContent).toContain("ana@example.com");
  expect(element.querySelector("header details p a")?.textContent).toBe("Logged in as ana@example.com");
  // The device still has the answers of the person who was signed in before.
  store.set("config", JSON.stringify({ uuid: "7d0a8b52-0c39-4a55-9c4e-0d9d5f0d1c22" }));
  store.set("signupEmail", "new@example.com");
  const switched = await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />);
  expect(switched.querySelector("header details p a")?.textContent).toBe("Logged in as new@example.com");
});

test("a customer's next lesson shows before the plan has loaded", async () => {
  const store = memoryStore();
  store.set("token", "t");
  store.set("questionnaireState", JSON.stringify(exampleState));
  const never: Api = { call: () => new Promise(() => {}) };
  const shown = async (entitlementExists: boolean) => {
    const config = { uuid: "3f0d0c7e-8a3c-4c76-9f58-6d5f4a1b2c3d", questionnaireVersion: "76", completed: true, entitlementExists };
    store.set("config", JSON.stringify({ ...config, asked: {}, at: Date.now() }));
    return (await mount(testSite({ locale: "en-US", services: { api: never, store } }), <page.View params={{}} />)).querySelector("main")
      ?.textContent;
  };
  expect(await shown(true)).toContain("Your next lesson");
  expect(await shown(false)).not.toContain("Your next lesson");
});

test("a new device shows the account's next lesson; an ended plan has none", async () => {
  const store = memoryStore();
  const claims = btoa(JSON.stringify({ sub: "3f0d0c7e-8a3c-4c76-9f58-6d5f4a1b2c3d" }));
  store.set("token", `h.${claims}.s`);
  let plan = active;
  const api = fakeApi({
    subscription: () => ({ subscription: plan }),
    questionnaireGet: () => ({ state: { ...exampleState, days: [2] } }),
  });
  const shown = async () =>
    (await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />)).querySelector("main")?.textContent;
  expect(await shown()).toMatch(/Wednesday, as you chose: 20.minutes/);
  expect(await shown()).toContain("starts with “Saying hello.”");
  plan = { ...active, status: "deleted", nextCharge: null, actions: [] };
  expect(await shown()).not.toContain("Your next lesson");
});

test("the next lesson of somebody who answered another version is that of the account's level", async () => {
  const store = memoryStore();
  store.set("token", "t");
  store.set("questionnaireState", JSON.stringify({ ...exampleState, id: "69" }));
  const api = fakeApi({ subscription: () => ({ subscription: { ...active, level: "intermediate" } }) });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />);
  expect(element.querySelector("main")?.textContent).toContain("starts with “A story worth telling.”");
});

test("the next lesson is the account's, not that of other answers that the device has", async () => {
  const store = memoryStore();
  const uuid = "3f0d0c7e-8a3c-4c76-9f58-6d5f4a1b2c3d";
  store.set("token", `h.${btoa(JSON.stringify({ sub: uuid }))}.s`);
  const others = { ...exampleState, days: [0], user: { uuid: "7d0a8b52-0c39-4a55-9c4e-0d9d5f0d1c22", email: "ana@example.com" } };
  store.set("questionnaireState", JSON.stringify(others));
  const api = fakeApi({
    subscription: () => ({ subscription: active }),
    questionnaireGet: () => ({ state: { ...exampleState, days: [2] } }),
  });
  const shown = async () =>
    (await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />)).querySelector("main")?.textContent;
  expect(await shown()).toContain("Wednesday, as you chose");
  const own = { ...others, user: { ...others.user, uuid } };
  store.set("questionnaireState", JSON.stringify({ ...own, signupDone: false }));
  expect(await shown()).toContain("Wednesday, as you chose");
  store.set("questionnaireState", JSON.stringify({ ...own, signupDone: true }));
  expect(await shown()).toContain("Monday, as you chose");
});

test("a program is not said to start once its first practice day is over", async () => {
  const store = memoryStore();
  store.set("token", "t");
  const api = fakeApi({ subscription: () => ({ subscription: active }) });
  const { today } = testSite({ locale: "en-US", services: { api, store } }).session.snapshot().context;
  const shown = async (daysAgo: number) => {
    const finishedTimestamp = new Date(Date.parse(`${today}T12:00:00Z`) - daysAgo * 86_400_000).toISOString();
    const everyDay = [0, 1, 2, 3, 4, 5, 6];
    store.set("questionnaireState", JSON.stringify({ ...exampleState, days: everyDay, finished: true, finishedTimestamp }));
    return (await mount(testSite({ locale: "en-US", services: { api, store } }), <page.View params={{}} />)).querySelector("main")
      ?.textContent;
  };
  expect(await shown(0)).toContain("starts with “Saying hello.”");
  const nextDay = await shown(1);
  expect(nextDay).toContain("Your next lesson");
  expect(nextDay).not.toContain("starts with");
});

test("an action's result is shown in one permanent line, and nothing moves", async () => {
  const store = memoryStore();
  store.set("token", "t");
  let held = Promise.withResolvers<void>();
  const answers = fakeApi({
    subscription: () => ({ subscription: active }),
    subscriptionCard: () => ({ url: "https://pay.example/card" }),
  });
  const api: FakeApi = {
    ...answers,
    call: async (name, ...input) => {
      if (name === "subscriptionCard") await held.promise;
      return answers.call(name, ...input);
    },
  };
  vi.stubGlobal("open", () => ({ opener: null, location: { replace: () => undefined }, close: () => undefined }));
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const width of [320, 1024]) {
    const element = await mount(testSite({ locale: "de-DE", services: { api, store } }), <Subscription />);
    element.style.width = `${width}px`;
    const [line, ...others] = element.querySelectorAll("[role=status], [aria-live]");
    expect(others).toEqual([]);
    const height = () => element.querySelector("section")?.getBoundingClientRect().height;
    await act(async () => element.querySelector("button")?.click());
    const before = height();
    expect(line?.textContent).toBe("");
    await act(async () => held.resolve());
    expect(element.querySelector("[role=status]")).toBe(line);
    expect(height()).toBe(before);
    expect(line?.textContent).not.toBe("");
    held = Promise.withResolvers();
  }
});

test("an action that the plan no longer has shows the plan as it is now, instead of asking to try again", async () => {
  let plan = active;
  const store = memoryStore();
  store.set("token", "t");
  const api = fakeApi({
    subscription: () => ({ subscription: plan }),
    subscriptionChange: () => {
      throw refusal(1200);
    },
  });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <Subscription />);
  const press = (label: string) =>
    act(async () => [...element.querySelectorAll("button")].find((button) => button.textContent === label)?.click());
  await press("Pause my subscription");
  plan = { ...active, nextCharge: null, change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep"] };
  await press("Yes, pause it");
  expect(element.querySelector("[data-status]")?.textContent).toBe("Canceled");
  expect(element.querySelector("[role=status]")?.textContent).toContain("changed in the meantime");
  expect([...element.querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual(["Keep my subscription"]);
});

test("a provider that does not respond changes nothing, and the page says so", async () => {
  const panel = await panelOf(active);
  await panel.press("Cancel my subscription");
  await panel.press("Yes, cancel it");
  expect(panel.element.querySelector("[role=status]")?.textContent).toContain("Try again");
  expect(panel.buttons()).toContain("Yes, cancel it");
});

test("a cancellation that fails leads to the form whose statement counts from its receipt; another change does not", async () => {
  const panel = await panelOf(active);
  const form = () => panel.element.querySelector(`a[href="${buildPath("contract/cancel", "en-US")}"]`)?.textContent;
  await panel.press("Pause my subscription");
  await panel.press("Yes, pause it");
  expect([panel.element.querySelector("[role=status]")?.textContent, form()]).toEqual([
    expect.stringContaining("Nothing has changed"),
    undefined,
  ]);
  await panel.press("Cancel my subscription");
  await panel.press("Yes, cancel it");
  expect(form()).toBe("Cancel a contract");
});
