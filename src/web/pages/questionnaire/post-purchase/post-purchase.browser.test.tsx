/** The pages after waiting for a payment (spec 001 §4, "Post-purchase"). */
import { payerOf } from "#core/links.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fakeApi } from "../../../session/fakeApi.ts";
import { memoryStore } from "../../../device/storage.ts";
import { page } from "./page.tsx";
import { giveUpAfter, type PaymentStatus } from "./pollPayment.ts";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../../../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));

async function waited(statuses: readonly PaymentStatus[], reset?: string) {
  went.mockReset();
  const store = memoryStore();
  store.set("paymentProvider", "paddle");
  store.set("token", "t");
  store.set("coupon", "AMIGOS20");
  if (reset !== undefined) store.set("questionnaireSkip", reset);
  const api = fakeApi({ paymentStatus: (_input, time) => ({ status: statuses[time] ?? "pending" }) });
  const track = vi.fn();
  const site = testSite({ services: { api, store, track } });
  await mount(site, <page.View params={{ version: "76" }} />);
  for (const _ of statuses.slice(1)) await act(() => vi.advanceTimersByTimeAsync(1500));
  const ways = went.mock.calls.map(([path]) => path);
  return { ways, calls: api.calls, status: store.get("paymentStatus"), told: track.mock.calls, coupon: store.get("coupon") };
}

test("it asks for the latest payment of the chosen provider, and a completed one leads to the thank-you page", async () => {
  const { ways, calls, status, told } = await waited(["pending", "pending", "completed"]);
  expect(calls).toEqual(Array.from({ length: 3 }, () => ["paymentStatus", { paymentId: "", paymentProvider: "paddle" }]));
  expect(ways).toEqual([buildPath("questionnaire/thank-you", "es-419", { version: "76" })]);
  expect([status, told]).toEqual(["completed", []]);
});

test("a cancelled or failed payment leads to its page and is pushed as a failed purchase (spec 000 §7)", async () => {
  for (const status of ["cancelled", "failed"] as const) {
    const { ways, told } = await waited(["pending", status]);
    expect(ways).toEqual([buildPath("payment/failed", "es-419")]);
    expect(told).toEqual([[{ eventType: "PurchaseFlow", payload: { stage: "error", error: status } }]]);
  }
});

test("a typed coupon is forgotten once its order is paid, also on the provider's hosted page, and kept for another try", async () => {
  expect((await waited(["pending", "completed"])).coupon).toBeNull();
  expect((await waited(["cancelled"])).coupon).toBe("AMIGOS20");
});

test("a reactivated plan leads to the level test", async () => {
  expect((await waited(["completed"], "reactivate")).ways).toEqual([
    buildPath("questionnaire/start-level-test", "es-419", { version: "76" }),
  ]);
});

test("on a device without a session the page does not wait: it says that a mail comes, and leads to the login", async () => {
  const api = fakeApi({});
  const element = await mount(testSite({ services: { api, store: memoryStore() } }), <page.View params={{ version: "76" }} />);
  // Whether it is paid is not known here: the page must be right for whoever paid long ago, too.
  expect(element.querySelector("h1")?.textContent).toBe("Entra a tu cuenta para seguir");
  expect(element.textContent).toContain("Si ya habías pagado, ya lo tienes ahí.");
  expect(element.textContent).not.toContain("más de lo normal");
  const links = [...element.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
  expect([links, api.calls]).toEqual([[buildPath("login/link", "es-419")], []]);
});

describe("the provider's page leads back from the payment of another account than the one logged in here", () => {
  const address = location.href;
  const payer = "0b54d86c-96b6-4a5c-9d5c-0a4a0c8e1c11";
  const tokenOf = (sub: string) => `h.${btoa(JSON.stringify({ sub }))}.s`;
  afterEach(() => history.replaceState(null, "", address));

  async function opened(account: string) {
    went.mockReset();
    history.replaceState(null, "", `?payer=${payerOf(payer)}`);
    const store = memoryStore();
    store.set("token", tokenOf(account));
    const api = fakeApi({ paymentStatus: () => ({ status: "cancelled" }) });
    const track = vi.fn();
    const element = await mount(testSite({ services: { api, store, track } }), <page.View params={{ version: "76" }} />);
    return { element, asked: api.calls.length, status: store.get("paymentStatus"), told: track.mock.calls, ways: went.mock.calls };
  }

  test("it says so and leads to the login: this account's own orders say nothing about that payment (spec 001 §4, “Post-purchase”)", async () => {
    const { element, asked, status, told, ways } = await opened("7f3e6a52-0f8e-4c1b-8a39-5f0c9a0d2b22");
    expect([asked, status, told, ways]).toEqual([0, null, [], []]);
    expect(element.textContent).toContain("En este navegador está abierta otra cuenta.");
    expect(element.querySelector("main a")?.getAttribute("href")).toBe(buildPath("login/link", "es-419"));
  });

  test("the account that paid gets its own payment's result", async () => {
    const { asked, status } = await opened(payer);
    expect([asked, status]).toEqual([1, "cancelled"]);
  });
});

test("the heading follows the status: in progress, not found yet, in progress again", async () => {
  const store = memoryStore();
  store.set("token", "t");
  const api = fakeApi({ paymentStatus: () => ({ status: "pending" }) });
  const element = await mount(testSite({ services: { api, store } }), <page.View params={{ version: "76" }} />);
  const heading = () => element.querySelector("h1")?.textContent;
  expect(heading()).toBe("Estamos confirmando tu pago");
  await act(() => vi.advanceTimersByTimeAsync(giveUpAfter + 10_000));
  expect(heading()).toBe("Todavía no vemos tu pago");
  const [again] = element.querySelectorAll("main button");
  await act(async () => again instanceof HTMLElement && again.click());
  expect(heading()).toBe("Estamos confirmando tu pago");
});
