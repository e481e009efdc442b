/** Coming back to a plan that has ended (spec 001 §2, §9). */
import { uiTexts } from "#content/texts/ui.ts";
import { buildPath } from "#core/routes.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { expect, test, vi } from "vitest";
import { silentServices } from "../../../services.ts";
import { memoryStore } from "../../../session/storage.ts";
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

async function opened(token: string | null) {
  went.mockReset();
  const store = memoryStore();
  if (token !== null) store.set("token", token);
  const payment = silentServices().paymentFor({ couponCode: undefined, reactivate: true });
  const offered = { status: "ready", products: [sixMonths], selected: sixMonths } as const;
  const paymentFor = vi.fn(() => ({ ...payment, offer: { ...payment.offer, snapshot: () => offered } }));
  const site = testSite({ services: { store, arrival: new URLSearchParams("discount=VUELVE30"), paymentFor } });
  await page.prepare?.(site, { version: "76" });
  const element = await mount(site, <page.View params={{ version: "76" }} />);
  return { element, paymentFor, ways: () => went.mock.calls.map(([path]) => path) };
}

test("it has the discount's badge, what it was for, why now, one plan of 6+1 months with its form, and reviews", async () => {
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

test("whoever is not logged in is led to the login", async () => {
  expect((await opened(null)).ways()).toEqual([buildPath("login/link", "es-419")]);
});
