/** Reactivating an ended plan (spec 001 §2, §9). */
import { uiTexts } from "#content/texts/ui.ts";
import type { SubscriptionView } from "#core/api.ts";
import type { Product } from "#core/products.ts";
import { termsOf } from "#core/terms.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { resize } from "#test/screen.ts";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { OfferSnapshot } from "../../../payment/snapshots.ts";
import { silentServices } from "../../../services.ts";
import { fakeApi } from "../../../session/fakeApi.ts";
import { memoryStore } from "../../../device/storage.ts";
import { page } from "./page.tsx";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../../../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));

const sixMonths = {
  productId: "subscription-6m-mxn",
  productType: "subscription",
  productPlan: "6M",
  trialDays: 0,
  priceId: "pri",
  quantity: 1,
  currency: "MXN",
  price: 50_000,
  listPrice: 100_000,
  frequency: 1,
  paymentProvider: "paddlebilling",
} as const;

const former: SubscriptionView = {
  status: "deleted",
  end: "2026-11-21T03:00:00.000Z",
  productType: "subscription",
  productPlan: "1M",
  currency: "MXN",
  price: 34_900,
  trialing: false,
  nextCharge: null,
  change: null,
  actions: [],
  timeZone: "America/Mexico_City",
};

async function opened(token: string | null, products: readonly Product[] = [sixMonths], had: SubscriptionView | null = null) {
  went.mockReset();
  const store = memoryStore();
  if (token !== null) store.set("token", token);
  store.set("signupEmail", "ana@example.com");
  const payment = silentServices().paymentFor({ couponCode: undefined, reactivate: true });
  const openForm = vi.fn();
  let offered: OfferSnapshot = { status: "ready", products, selected: products[0] ?? null, coupon: null, takesCoupon: false };
  const listeners = new Set<() => void>();
  const offer = {
    ...payment.offer,
    subscribe: (changed: () => void) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    snapshot: () => offered,
    termsOf: (product: Product) => termsOf(product, { now: Date.UTC(2026, 10, 22), timeZone: "UTC" }),
    select: (id: string) => {
      offered = { ...offered, selected: products.find(({ productId }) => productId === id) ?? null };
      for (const changed of listeners) changed();
    },
  };
  const paymentFor = vi.fn(() => ({ offer, checkout: { ...payment.checkout, open: openForm, mailLink: () => Promise.resolve(true) } }));
  const api = fakeApi({ entitlement: () => ({ entitlements: [] }), subscription: () => ({ subscription: had }) });
  const site = testSite({ services: { api, store, arrival: new URLSearchParams("discount=VUELVE30"), paymentFor } });
  await page.prepare?.(site, { version: "76" });
  const element = await mount(site, <page.View params={{ version: "76" }} />);
  return { element, paymentFor, openForm, ways: () => went.mock.calls.map(([path]) => path) };
}

test("it shows the discount's badge, the objectives, the reasons, one plan of 6+1 months with its form, and reviews", async () => {
  const { element, paymentFor } = await opened("h.p.s");
  const main = element.querySelector("main");
  const texts = uiTexts("es-419");
  const said = (key: string) => String(Reflect.get(texts, key));
  expect(paymentFor).toHaveBeenCalledWith({ couponCode: "VUELVE30", reactivate: true });
  expect(main?.textContent).toContain("50% de descuento");
  expect(main?.textContent).toContain("6+1 meses");
  for (const key of ["objectives", "reasons", "pay", "reviews"]) expect(main?.textContent).toContain(said(`page.reactivate.${key}`));
  expect(main?.querySelectorAll("[data-block=list] li")).toHaveLength(6);
  expect(main?.querySelectorAll("[data-block=payment]")).toHaveLength(1);
  expect(main?.querySelectorAll("[data-block=paddle]")).toHaveLength(1);
  expect(main?.querySelectorAll("[data-block=price]")).toHaveLength(0);
  expect(main?.querySelectorAll("[data-block=testimonial]")).toHaveLength(3);
});

test("whoever can also pay once is not told to cancel: there is nothing to cancel then", async () => {
  const said = (key: string) => String(Reflect.get(uiTexts("es-419"), key));
  const once = { ...sixMonths, productId: "onetime-6m-mxn", productType: "onetime" } as const;
  const words = (await opened("h.p.s", [once, sixMonths], { ...former, productType: "onetime", productPlan: "6M" })).element.textContent;
  expect(words).toContain(said("page.reactivate.reason3.once.detail"));
  expect(words).not.toContain(said("page.reactivate.reason3"));
});

test("the former plan is shown with its end in the buyer's time zone, and can be chosen again", async () => {
  const month = { ...sixMonths, productId: "subscription-1m-mxn", productPlan: "1M", price: 34_900, listPrice: 44_900 };
  const { element, openForm } = await opened("h.p.s", [month, { ...sixMonths, trialUsed: true }], former);
  const said = element.querySelector("main")?.textContent.replaceAll("\u00a0", " ");
  expect(said).toContain("Lo que tenías: Suscripción de 1 mes, $349 cada mes. Terminó el 20 de noviembre de 2026.");
  expect(said).toContain("siguen aquí");
  const choices = [...element.querySelectorAll<HTMLElement>("[role=radio]")];
  const words = choices.map((choice) => [choice.getAttribute("aria-checked"), choice.textContent.replaceAll("\u00a0", " ")]);
  expect(words).toEqual([
    ["true", "1 mesComo antes$349cada mes"],
    ["false", "6 meses$500cada 6 meses"],
  ]);
  expect(openForm).toHaveBeenCalledTimes(1);
  await act(async () => choices[1]?.click());
  expect(choices[1]?.getAttribute("aria-checked")).toBe("true");
  expect(element.querySelector("[data-block=payment]")?.textContent).toContain("$500");
  // Another plan needs another order.
  expect(openForm).toHaveBeenCalledTimes(2);
});

test("with text at 200 % the price stands below the plan's name instead of squeezing it", async () => {
  // The same number of letters per line as on a phone of 390 × 844 with text at 200 %.
  await resize(195, 422);
  onTestFinished(() => resize(390, 844));
  const once = { ...sixMonths, productId: "onetime-3m-mxn", productType: "onetime", productPlan: "3M" } as const;
  const had = { ...former, productType: "onetime", productPlan: "3M", price: sixMonths.price } as const;
  const { element } = await opened("h.p.s", [once, { ...sixMonths, trialUsed: true }], had);
  const [name, price] = [...element.querySelectorAll("[role=radio]:first-child > span")].slice(-2);
  expect(name?.textContent).toBe("3 mesesComo antes");
  expect(name?.getBoundingClientRect().bottom).toBeLessThanOrEqual(price?.getBoundingClientRect().top ?? 0);
});

test("a paused plan is called paused, and a single plan leaves nothing to choose", async () => {
  const { element } = await opened("h.p.s", [sixMonths], { ...former, status: "paused", productPlan: "6M" });
  expect(element.querySelector("main")?.textContent).toContain("Está en pausa.");
  expect(element.querySelectorAll("[role=radio]")).toHaveLength(0);
});

test("a paused plan can be resumed instead of bought anew, as long as its provider can do it", async () => {
  const way = async (had: SubscriptionView) =>
    (await opened("h.p.s", [sixMonths], had)).element.querySelector(`#pay a[href="${buildPath("handle-your-subscription", "es-419")}"]`);
  expect((await way({ ...former, status: "paused", actions: ["resume", "cancel"] }))?.textContent).toBe("Reanudar mi suscripción");
  expect(await way({ ...former, status: "paused" })).toBeNull();
  expect(await way(former)).toBeNull();
});

test("a visitor who never had a plan sees no price for returning customers", async () => {
  const texts = uiTexts("es-419");
  const said = async (had: SubscriptionView | null) => (await opened("h.p.s", [sixMonths], had)).element.textContent;
  expect(await said(former)).toContain(texts["page.reactivate.text"]);
  expect(await said(null)).toContain(texts["page.reactivate.text.new"]);
  expect(await said(null)).not.toContain(texts["page.reactivate.text"]);
});

test("only a lower price or a free month is called a price for returning customers", async () => {
  const special = uiTexts("es-419")["page.reactivate.text"];
  const said = async (product: Product) => (await opened("h.p.s", [product], former)).element.textContent;
  const usual = { ...sixMonths, listPrice: sixMonths.price };
  expect(await said(usual)).toContain(special);
  expect(await said({ ...usual, trialUsed: true })).not.toContain(special);
  expect(await said({ ...sixMonths, trialUsed: true })).toContain(special);
});

test("the former plan is not said to be as before when it costs more now, for example without the former coupon", async () => {
  const month = { ...sixMonths, productId: "subscription-1m-mxn", productPlan: "1M", listPrice: 44_900 };
  const said = async (price: number) =>
    (
      await opened(
        "h.p.s",
        [
          { ...month, price },
          { ...sixMonths, trialUsed: true },
        ],
        former,
      )
    ).element.textContent;
  expect(await said(former.price + 1)).not.toContain("Como antes");
  for (const price of [former.price, former.price - 1]) expect(await said(price)).toContain("Como antes");
});

test("the former plan at its former price is called neither a discount nor a price for returning customers, and for less it is", async () => {
  const texts = uiTexts("es-419");
  const month = { ...sixMonths, productId: "subscription-1m-mxn", productPlan: "1M", listPrice: 44_900 };
  const said = async (price: number) => (await opened("h.p.s", [{ ...month, price }], former)).element.textContent;
  expect(await said(former.price)).toContain(texts["page.reactivate.text.new"]);
  expect(await said(former.price)).not.toContain(texts["page.reactivate.text"]);
  expect(await said(former.price - 1)).toContain(texts["page.reactivate.text"]);
  expect(await said(former.price)).not.toContain("% de descuento");
  expect(await said(former.price - 1)).toContain("% de descuento");
});

test("a former plan in another currency is not compared with the one on offer, and its sign does not pass for this one's", async () => {
  const month = { ...sixMonths, productId: "subscription-1m-usd", productPlan: "1M", currency: "USD", price: 1_999, listPrice: 2_499 };
  const said = async (had: SubscriptionView) =>
    (await opened("h.p.s", [month, { ...sixMonths, trialUsed: true }], had)).element.textContent.replaceAll("\u00a0", " ");
  const pesos = await said(former);
  expect(pesos).toContain("Suscripción de 1 mes, $349 MXN cada mes.");
  expect(pesos).not.toContain("Como antes");
  const euros = await said({ ...former, currency: "EUR", price: 1_000 });
  expect(euros).toContain("Suscripción de 1 mes, €10 cada mes.");
  expect(euros).toContain("% de descuento");
});

test("on a page of another version than the account's, which lacks its answers, a mailed link names the account's address", async () => {
  const { element } = await opened("h.p.s");
  const told = uiTexts("es-419");
  const ask = [...element.querySelectorAll("button")].find(({ textContent }) => textContent === told["block.paddle.helpMail"]);
  await act(async () => ask?.click());
  expect(element.querySelector("[data-block=paddle]")?.textContent).toContain("ana@example.com");
});

test("a visitor without a session is led to the login", async () => {
  expect((await opened(null)).ways()).toEqual([buildPath("login/link", "es-419")]);
});
