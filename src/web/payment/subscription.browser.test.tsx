/** The visitor's own plan (spec 001 §4): each state says what it is, what comes next and what can be done. */
import type { SubscriptionView } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Api } from "../api/client.ts";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { memoryStore } from "../session/storage.ts";
import { page } from "../pages/handle-your-subscription/page.tsx";
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
};

async function panelOf(plan: SubscriptionView | null, changed?: SubscriptionView, token: string | null = "t") {
  const store = memoryStore();
  if (token !== null) store.set("token", token);
  const api = fakeApi({
    subscription: () => ({ subscription: plan }),
    subscriptionChange: () => {
      if (changed === undefined) throw new Error("the provider is down");
      return { subscription: changed };
    },
  });
  const site = testSite({ locale: "en-US", services: { api, store } });
  const element = await mount(site, <Subscription />);
  const text = () => element.textContent?.replaceAll("\u00a0", " ") ?? "";
  const buttons = () => [...element.querySelectorAll("button, a")].map((button) => button.textContent);
  const press = (label: string) =>
    act(async () => [...element.querySelectorAll("button")].find((button) => button.textContent === label)?.click());
  return { element, text, buttons, press, api };
}

const states: readonly (readonly [Partial<SubscriptionView>, string, string, readonly string[]])[] = [
  [{}, "Active", "February 20, 2027", ["Pause my plan", "Cancel my plan", "Change card"]],
  [{ trialing: true }, "Free trial", "February 20, 2027", ["Pause my plan", "Cancel my plan", "Change card"]],
  [
    { nextCharge: null, change: { action: "cancel", at: "2027-02-20T12:00:00.000Z" }, actions: ["keep"] },
    "Active",
    "February 20, 2027",
    ["Keep my plan", "Change card"],
  ],
  [
    { status: "paused", nextCharge: null, actions: ["resume", "cancel"] },
    "Paused",
    "",
    ["Resume my plan", "Cancel my plan", "Change card"],
  ],
  [{ status: "deleted", nextCharge: null, actions: [] }, "Ended", "February 20, 2027", ["Reactivate my plan"]],
  [{ productType: "onetime", nextCharge: null, actions: [] }, "Active", "February 20, 2027", []],
];
test.each(states)("a plan with %j is called so, says its date, and offers what can be done", async (change, status, date, ways) => {
  const panel = await panelOf({ ...active, ...change });
  expect(panel.element.querySelector("[data-status]")?.textContent).toBe(status);
  expect(panel.text()).toContain(date);
  expect(panel.buttons()).toEqual(ways);
});

test("says to log in again where the account does not know the device, for what leads to a charge", async () => {
  const store = memoryStore();
  store.set("token", "t");
  const refused = () => {
    throw refusal(1000, { password: "validator_required" });
  };
  const paused: SubscriptionView = { ...active, status: "paused", nextCharge: null, actions: ["resume"] };
  const api = fakeApi({ subscription: () => ({ subscription: paused }), subscriptionChange: refused, subscriptionCard: refused });
  const element = await mount(testSite({ locale: "en-US", services: { api, store } }), <Subscription />);
  for (const label of ["Resume my plan", "Change card"]) {
    await act(async () => [...element.querySelectorAll("button")].find((button) => button.textContent === label)?.click());
    expect(element.querySelector("[role=status]")?.textContent).toContain("log in on this device once more");
  }
});

test("waits for the plan 15 s at most, then says so and asks again when it is wanted (spec 001 §9)", async () => {
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
  // One that comes late is shown all the same.
  await act(async () => line.resolve());
  expect(panel()?.querySelector("[data-status]")?.textContent).toBe("Active");
});

test("a plan whose payment failed asks for another card, and promises no next payment", async () => {
  const panel = await panelOf({ ...active, status: "past_due", actions: ["cancel"] });
  expect(panel.element.querySelector("[data-status]")?.textContent).toBe("Payment overdue");
  expect(panel.text()).not.toContain("2027");
  expect(panel.buttons()).toEqual(["Change card", "Cancel my plan"]);
});

test("whoever is not logged in is led to it, and nothing is asked for", async () => {
  const { element, buttons, api } = await panelOf(active, undefined, null);
  expect(buttons()).toEqual(["Log in"]);
  expect(element.querySelector("a")?.getAttribute("href")).toBe(buildPath("login/link", "en-US"));
  expect(api.calls).toEqual([]);
});

test("whoever has no plan yet is led on to where they were", async () => {
  const { element } = await panelOf(null);
  expect(element.querySelector("a")?.getAttribute("href")).toBe(buildPath("questionnaire/raffle", "en-US"));
});

test("a cancellation is asked about first, with the focus on the question; then it says what came of it", async () => {
  const cancelled = {
    ...active,
    nextCharge: null,
    change: { action: "cancel" as const, at: "2027-02-20T12:00:00.000Z" },
    actions: ["keep" as const],
  };
  const panel = await panelOf(active, cancelled);
  await panel.press("Cancel my plan");
  expect(document.activeElement?.getAttribute("role")).toBe("group");
  expect(panel.api.calls.map(([call]) => call)).toEqual(["subscription"]);
  await panel.press("Yes, cancel it");
  expect(panel.api.calls.at(-1)).toEqual(["subscriptionChange", { action: "cancel" }]);
  expect(document.activeElement?.id).toBe("your-plan");
  expect(panel.element.querySelector("[role=status]")?.textContent).toMatch(/^Cancell?ed/);
  expect(panel.buttons()).toEqual(["Keep my plan", "Change card"]);
});

test("a provider that does not answer changes nothing, and it is said", async () => {
  const panel = await panelOf(active);
  await panel.press("Cancel my plan");
  await panel.press("Yes, cancel it");
  expect(panel.element.querySelector("[role=status]")?.textContent).toContain("try again");
  expect(panel.buttons()).toContain("Yes, cancel it");
});
