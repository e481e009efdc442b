import { allGrants, noGrants } from "#core/consent.ts";
import { expect, test } from "vitest";
import { createDataLayer, hashedEmail } from "./dataLayer.ts";

const denied = {
  ad_storage: "denied",
  ad_user_data: "denied",
  ad_personalization: "denied",
  analytics_storage: "denied",
  functionality_storage: "denied",
  personalization_storage: "denied",
};

test("Consent Mode starts denied and is updated with each change, as arguments", () => {
  const list: unknown[] = [];
  const layer = createDataLayer(list);
  layer.consent(noGrants);
  layer.consent({ ...noGrants, analytics: true });
  layer.consent(allGrants);
  expect(list.map((entry) => Object.prototype.toString.call(entry))).toEqual(Array.from({ length: 4 }, () => "[object Arguments]"));
  expect(list.map((entry) => Array.from(typeof entry === "object" && entry !== null ? Object.values(entry) : []))).toEqual([
    ["consent", "default", { ...denied, security_storage: "granted", wait_for_update: 500 }],
    ["consent", "update", denied],
    ["consent", "update", { ...denied, analytics_storage: "granted" }],
    ["consent", "update", Object.fromEntries(Object.keys(denied).map((mode) => [mode, "granted"]))],
  ]);
});

test("a purchase clears an earlier one's fields", () => {
  const list: unknown[] = [];
  const ecommerce = { transaction_id: "o1", value: 49, currency: "MXN", items: [] };
  createDataLayer(list).push("purchase", { ecommerce });
  expect(list.slice(1)).toEqual([{ ecommerce: null }, { event: "purchase", ecommerce }]);
});

test("an e-mail address leaves only as its SHA-256, whatever its spelling", async () => {
  const [plain, shouted] = await Promise.all([hashedEmail("ana@example.com"), hashedEmail("  Ana@Example.COM ")]);
  expect([plain, shouted]).toEqual(Array.from({ length: 2 }, () => "8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11"));
  expect(await hashedEmail("", undefined)).toMatch(/^e3b0c44298fc1c149afbf4c8996fb924/);
});

test.each(["js-exception", "purchase_fail"] as const)("an error's message leaves without e-mail addresses: %s (spec 000 §7)", (event) => {
  const list: unknown[] = [];
  createDataLayer(list).push(event, { message: "No mailbox for <ana@example.com>: try again" });
  expect(list.slice(1)).toEqual([{ event, message: "No mailbox for … try again" }]);
});
