import type { SubscriptionView } from "#core/api.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { expect, test } from "vitest";
import { fakeApi } from "../../../session/fakeApi.ts";
import { memoryStore } from "../../../device/storage.ts";
import { page } from "./page.tsx";

const bought: SubscriptionView = {
  status: "active",
  end: "2026-11-27T18:00:00.000Z",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: true,
  nextCharge: "2026-11-27T18:00:00.000Z",
  change: null,
  actions: [],
  timeZone: "America/Mexico_City",
};

/** The page's text on a day. */
async function thanked(subscription: SubscriptionView, today: string) {
  const store = memoryStore();
  store.set("token", "t");
  const site = testSite({ context: { today }, services: { api: fakeApi({ subscription: () => ({ subscription }) }), store } });
  const element = await mount(site, <page.View params={{ version: "76" }} />);
  return element.querySelector("main")?.textContent ?? "";
}

test.each(["2026-11-20", "2026-11-24"])("opened on %s, the page names the trial's real end", async (today) => {
  expect(await thanked(bought, today)).toMatch(/27\sde\snoviembre\sde\s2026/);
});

test("the date is in the buyer's time zone, even if UTC is a day ahead", async () => {
  expect(await thanked({ ...bought, end: "2026-11-28T03:00:00.000Z" }, "2026-11-20")).toMatch(/27\sde\snoviembre\sde\s2026/);
});

test("without a trial no day is named, and the receipt is announced once", async () => {
  const text = await thanked({ ...bought, trialing: false }, "2026-11-20");
  expect(text).not.toMatch(/2026/);
  expect(text.match(/recibo/g)).toHaveLength(1);
});
