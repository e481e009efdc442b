/** The pages after a payment: all show the same checklist with its finished items. */
import type { Output, SubscriptionView } from "#core/api.ts";
import type { State } from "#core/questionnaire/state.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { page as congratulations } from "../pages/questionnaire/congratulations/page.tsx";
import { page as nextSteps } from "../pages/questionnaire/next-steps/page.tsx";
import { page as startLevelTest } from "../pages/questionnaire/start-level-test/page.tsx";
import { page as thankYou } from "../pages/questionnaire/thank-you/page.tsx";
import { page as verifyEmail } from "../pages/questionnaire/verify-email/page.tsx";
import { fakeApi } from "../session/fakeApi.ts";
import { memoryStore } from "../device/storage.ts";
import { askEvery, mostAsks } from "./address.ts";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));
beforeEach(() => went.mockReset());

const pages = { thankYou, verifyEmail, congratulations, nextSteps, startLevelTest };
const trial: SubscriptionView = {
  status: "active",
  end: "2026-11-27T18:00:00.000Z",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: true,
  nextCharge: "2026-11-27T18:00:00.000Z",
  change: null,
  timeZone: "UTC",
  actions: [],
};
const address: Output<"email"> = { email: "lucia@ejemplo.mx", confirmed: false, pending: null, needsPassword: false };

async function opened(
  name: keyof typeof pages,
  known: {
    readonly email?: () => Output<"email">;
    readonly subscription?: SubscriptionView | null | Promise<SubscriptionView>;
    readonly state?: Partial<State>;
    /** The answer about the account's latest payment. */
    readonly payment?: Output<"paymentStatus">["status"];
    /** What this device has stored about it. */
    readonly storedPayment?: string;
  } = {},
) {
  const { payment } = known;
  const store = memoryStore();
  store.set("token", "t");
  if (known.storedPayment !== undefined) store.set("paymentStatus", known.storedPayment);
  const api = fakeApi({
    subscription: async () => ({ subscription: known.subscription === undefined ? trial : await known.subscription }),
    email: known.email ?? (() => address),
    ...(payment && { paymentStatus: () => ({ status: payment, purchase: null }) }),
  });
  const site = testSite({ state: { user: { email: address.email }, ...known.state }, services: { api, store } });
  const { View } = pages[name];
  const element = await mount(site, <View params={{ version: "76" }} />);
  const list = () => [...(element.querySelector("[aria-label='Tu lista']")?.querySelectorAll("li") ?? [])];
  const done = () => list().map((item) => item.dataset["done"] === "true");
  return { element, store, list, done, next: () => list().findIndex((item) => item.getAttribute("aria-current") === "step") };
}

/** The address's item and those after it. The last page has the four steps of the app in place of "the app" and "the first lesson". */
const openItems = (name: keyof typeof pages) => Array.from({ length: name === "startLevelTest" ? 5 : 3 }, () => false);

test.each(Object.keys(pages) as (keyof typeof pages)[])("%s: the payment has a tick, confirming the address is next", async (name) => {
  const { done, next } = await opened(name);
  expect([done(), next()]).toEqual([[true, ...openItems(name)], 1]);
});

test.each(Object.keys(pages) as (keyof typeof pages)[])("%s: a confirmed address has a tick and is not asked for again", async (name) => {
  const { element, done, next } = await opened(name, { email: () => ({ ...address, confirmed: true }) });
  expect([done(), next()]).toEqual([[true, true, ...openItems(name).slice(1)], 2]);
  const said = element.querySelector("main")?.textContent ?? "";
  for (const asked of ["Confirma tu correo", "Confirmar mi correo", "Mandar el correo otra vez", "confírmalo"])
    expect(said).not.toContain(asked);
});

test("until the plan has loaded, the list says neither that a payment was confirmed nor that a trial began, nor that one is awaited", async () => {
  for (const [storedPayment, shown] of [
    ["completed", "Tu pago (listo)"],
    ["", "1Tu pago"],
  ] as const) {
    const plan = Promise.withResolvers<SubscriptionView>();
    const { list, done } = await opened("thankYou", { subscription: plan.promise, storedPayment });
    expect([done()[0], list()[0]?.textContent]).toEqual([storedPayment === "completed", shown]);
    await act(async () => plan.resolve(trial));
    await expect.poll(() => list()[0]?.textContent).toContain("No pagas nada hasta");
  }
});

test("a canceled or paused trial announces no payment", async () => {
  const at = "2026-11-27T18:00:00.000Z";
  const said = async (change: SubscriptionView["change"]) => {
    const plan: SubscriptionView = { ...trial, change, nextCharge: change === null ? at : null };
    return (await opened("thankYou", { subscription: plan })).list()[0]?.textContent.replaceAll("\u00a0", " ");
  };
  expect(await said(null)).toContain("No pagas nada hasta el 27 de noviembre de 2026.");
  for (const [action, text] of [
    ["cancel", "Conservas tu acceso hasta el 27 de noviembre de 2026 y no se te cobra nada más."],
    ["pause", "Se pone en pausa el 27 de noviembre de 2026."],
  ] as const) {
    const shown = await said({ action, at });
    expect(shown).toContain(text);
    expect(shown).not.toContain("No pagas nada hasta");
  }
});

test("congratulations: confirming the address is not called the last thing while the list has more", async () => {
  const { element, done } = await opened("congratulations");
  expect(done()).toEqual([true, false, false, false]);
  expect(element.textContent).toContain("Tu plan está listo. Confirma tu correo cuando puedas.");
});

test("nobody is thanked for a plan that has ended or was never ordered: the plan's page tells so", async () => {
  const now = Date.now();
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  const ways = async (plan: Partial<SubscriptionView> | null, known: Parameters<typeof opened>[1] = {}) => {
    went.mockReset();
    await opened("thankYou", { subscription: plan && { ...trial, ...plan }, ...known });
    return went.mock.calls.map(([path]) => path);
  };
  expect(await ways({ end: at(1) })).toEqual([]);
  const planPage = [buildPath("handle-your-subscription", "es-419")];
  expect(await ways({ status: "deleted", end: at(-1) })).toEqual(planPage);
  expect(await ways(null, { payment: "cancelled" })).toEqual(planPage);
  expect(await ways(null, { payment: "pending" })).toEqual([]);
  expect(await ways(null, { payment: "completed", storedPayment: "completed" })).toEqual([]);
});

test("the first lesson is named after the level from the answers", async () => {
  const named = async (...levelAnswers: readonly (readonly [number, number])[]) => {
    const selectedOptions = levelAnswers.map(([questionId, optionId]) => ({ questionId, optionId }));
    const { list } = await opened("thankYou", {
      state: { selectedOptions, visitedQuestionIds: selectedOptions.map(({ questionId }) => questionId) },
    });
    return list().at(-1)?.textContent;
  };
  expect(await named([41, 1])).toContain("Tu programa empieza con “Saludar y presentarte”.");
  expect(await named([41, 1], [42, 1], [43, 3])).toContain("“Una historia que contar”");
  expect(await named()).not.toContain("empieza con");
});

test("a pending new address is not shown as confirmed", async () => {
  const { done } = await opened("verifyEmail", { email: () => ({ ...address, confirmed: true, pending: "nueva@ejemplo.mx" }) });
  expect(done()[1]).toBe(false);
});

test("a confirmation in another tab shows when the page becomes visible", async () => {
  let confirmed = false;
  const { element, done } = await opened("verifyEmail", { email: () => ({ ...address, confirmed }) });
  expect(done()[1]).toBe(false);
  confirmed = true;
  await act(async () => {
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => done()[1]).toBe(true);
  expect(element.querySelector("h1")?.textContent).toBe("Tu correo está confirmado");
});

test("a confirmation in a window beside the page shows when the page is used again", async () => {
  const email = vi.fn(() => address);
  const { done } = await opened("verifyEmail", { email });
  await expect.poll(() => email.mock.calls).toHaveLength(1);
  email.mockReturnValue({ ...address, confirmed: true });
  await act(async () => {
    window.dispatchEvent(new Event("focus"));
  });
  await expect.poll(() => done()[1]).toBe(true);
});

test("a confirmation in a window beside the page shows by itself, and after a while the page asks no more", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const email = vi.fn(() => address);
  const beside = await opened("verifyEmail", { email });
  await act(() => vi.advanceTimersByTimeAsync(askEvery));
  expect([email.mock.calls.length, beside.done()[1]]).toEqual([2, false]);
  email.mockReturnValue({ ...address, confirmed: true });
  await act(() => vi.advanceTimersByTimeAsync(askEvery));
  expect(beside.done()[1]).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(10 * askEvery));
  expect(email.mock.calls).toHaveLength(3);
  const never = vi.fn(() => address);
  await opened("verifyEmail", { email: never });
  for (let asked = 0; asked < mostAsks + 10; asked++) await act(() => vi.advanceTimersByTimeAsync(askEvery));
  expect(never.mock.calls).toHaveLength(1 + mostAsks);
});

test("after the visitor says once that they have the app, the list remembers it", async () => {
  const { element, store, done, next } = await opened("startLevelTest", { email: () => ({ ...address, confirmed: true }) });
  const button = [...element.querySelectorAll("button")].find(({ textContent }) => textContent === "Ya tengo la app");
  await act(async () => button?.click());
  expect([done(), next(), store.get("hasApp")]).toEqual([[true, true, true, false, false, false], 3, "1"]);
  expect(element.textContent).not.toContain("Ya tengo la app");
});

test("an unpaid order has no tick and is not called paid", async () => {
  const { list, done } = await opened("thankYou", { subscription: null });
  expect(done()[0]).toBe(false);
  expect(list()[0]?.textContent).toContain("Tu pago");
});

const paying = "Estamos esperando la respuesta del proveedor de pago";
const ended = { ...trial, status: "deleted", end: "2026-01-01T00:00:00.000Z", trialing: false, nextCharge: null } as const;
const paused = { ...ended, status: "paused" } as const;

test.each([
  ["has never ordered", null, "cancelled"],
  ["has a plan that has ended", ended, "completed"],
  ["has a paused plan", paused, "completed"],
] as const)("who %s, and comes here by changing the address, reads of no payment that is awaited", async (_, subscription, payment) => {
  for (const name of ["verifyEmail", "congratulations", "nextSteps", "startLevelTest"] as const) {
    const { element, list } = await opened(name, { subscription, payment });
    expect(list()[0]?.textContent).toContain("Confirma tu correo");
    expect(list()).toHaveLength(openItems(name).length);
    expect(element.textContent).not.toContain(paying);
  }
});

test.each([
  ["as the form has said", null, "cancelled", "pending"],
  ["as the server says after the provider's own page", null, "pending", undefined],
  ["of a customer who comes back", ended, "pending", undefined],
] as const)("a payment that awaits its confirmation, %s, stays on the list", async (_, subscription, payment, storedPayment) => {
  const { list } = await opened("startLevelTest", { subscription, payment, ...(storedPayment && { storedPayment }) });
  expect(list()[0]?.textContent).toContain(paying);
  expect(list()).toHaveLength(6);
});

test.each(Object.keys(pages) as (keyof typeof pages)[])("%s: one item is marked as the next one", async (name) => {
  const { element } = await opened(name);
  const marked = [...element.querySelectorAll("main [data-next]")].map((item) => item.querySelector("h2")?.textContent);
  expect(marked).toEqual(["Confirma tu correo"]);
});

test("the last page has one list: what is open before the app, then the four numbered steps", async () => {
  const { element, list, next } = await opened("startLevelTest", { email: () => ({ ...address, confirmed: true }) });
  expect(element.querySelectorAll("main ol, main ul")).toHaveLength(1);
  const marks = () => list().map((item) => item.querySelector("[aria-hidden]")?.textContent);
  expect([marks(), next()]).toEqual([["", "", "1", "2", "3", "4"], 2]);
});

test("after confirming, no two buttons in a row say the same", async () => {
  const labels: (string | undefined)[] = [];
  for (const name of ["thankYou", "verifyEmail", "congratulations"] as const) {
    const { element } = await opened(name, { email: () => ({ ...address, confirmed: true }) });
    labels.push(...[...element.querySelectorAll("[data-bar] a")].map(({ textContent }) => textContent));
  }
  expect(new Set(labels).size).toBe(labels.length);
});

test("who has the app already can open it from the last page", async () => {
  const { element } = await opened("startLevelTest");
  const links = () => [...element.querySelectorAll<HTMLAnchorElement>("main a")].filter((link) => link.pathname.includes("/app/"));
  expect(links()).toHaveLength(0);
  const has = [...element.querySelectorAll("button")].find(({ textContent }) => textContent === "Ya tengo la app");
  await act(async () => has?.click());
  expect(links().map(({ textContent }) => textContent)).toEqual(["Abrir la app"]);
});
