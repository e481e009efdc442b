/** The confirmation of a reactivated plan (spec 001 §4, post-purchase). */
import { uiTexts } from "#content/texts/ui.ts";
import type { SubscriptionView } from "#core/api.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { expect, test } from "vitest";
import { fakeApi } from "../../../session/fakeApi.ts";
import { memoryStore } from "../../../device/storage.ts";
import { maskedEmail } from "./maskedEmail.ts";
import { page } from "./page.tsx";

const plan: SubscriptionView = {
  status: "active",
  end: "2026-12-21T03:00:00.000Z",
  productType: "subscription",
  productPlan: "6M",
  currency: "EUR",
  price: 5_838,
  trialing: true,
  nextCharge: "2026-12-21T03:00:00.000Z",
  change: null,
  actions: [],
  timeZone: "America/Mexico_City",
};

async function opened(skip: string | null, subscription: SubscriptionView | null = plan) {
  const store = memoryStore();
  store.set("token", "t");
  if (skip !== null) store.set("questionnaireSkip", skip);
  const address = { email: "ana@example.com", confirmed: true, pending: null, needsPassword: true };
  const api = fakeApi({ subscription: () => ({ subscription }), email: () => address });
  const element = await mount(testSite({ locale: "de-DE", services: { api, store } }), <page.View params={{ version: "76" }} />);
  return { said: element.querySelector("main")?.textContent.replaceAll("\u00a0", " ") ?? "" };
}
const texts = uiTexts("de-DE");

test("a reactivation is confirmed with its plan, next charge and price", async () => {
  const { said } = await opened("reactivate");
  expect(said).toContain(texts["page.start-level-test.back"]);
  expect(said).toContain("Abo für 6 Monate. Die nächste Zahlung über 58,38 € ist am 20. Dezember 2026 fällig.");
  const once = await opened("reactivate", { ...plan, productType: "onetime", nextCharge: null });
  expect(once.said).toContain("Programm für 6 Monate, Einmalzahlung. Dein Niveau");
});

test("a first purchase, or no plan yet, shows the usual page", async () => {
  const first = await opened(null);
  expect(first.said).toContain(texts["page.start-level-test.title"]);
  expect(first.said).not.toContain("58,38");
  for (const none of [null, { ...plan, status: "deleted" as const }])
    expect((await opened("reactivate", none)).said).toContain(texts["page.start-level-test.title"]);
});

test("the account's masked address is named on a page of another version, too, which has no answers of the account (spec 001 §2)", async () => {
  const { said } = await opened(null);
  expect(said).toContain(maskedEmail("ana@example.com"));
  expect(said).not.toContain("ana@example.com");
});
