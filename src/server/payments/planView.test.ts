import { expect, test } from "vitest";
import { planView } from "./planView.ts";
import type { Plan } from "./service.ts";

const plan: Plan = {
  status: "active",
  end: Date.parse("2026-12-20T12:00:00Z"),
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: true,
  nextCharge: Date.parse("2026-12-21T12:00:00Z"),
  change: { action: "pause", at: Date.parse("2026-12-22T12:00:00Z") },
  actions: ["keep"],
  timeZone: "America/Mexico_City",
  moneyBackUntil: "2026-12-20",
  earlyEnd: { endsAt: Date.parse("2026-12-23T12:00:00Z"), back: 3_980 },
  refundAtEnd: null,
  refunded: null,
};

test("a plan's times are written as dates", () => {
  expect(planView(plan)).toEqual({
    ...plan,
    end: "2026-12-20T12:00:00.000Z",
    nextCharge: "2026-12-21T12:00:00.000Z",
    change: { action: "pause", at: "2026-12-22T12:00:00.000Z" },
    earlyEnd: { end: "2026-12-23T12:00:00.000Z", back: 3_980 },
  });
  expect(planView({ ...plan, productType: "onetime", end: null, nextCharge: null, change: null, actions: [], earlyEnd: null })).toEqual({
    ...plan,
    productType: "onetime",
    end: null,
    nextCharge: null,
    change: null,
    actions: [],
    earlyEnd: null,
  });
});

test("without a plan, or with one of a kind that is no longer sold, the answer is null", () => {
  expect([planView(null), planView({ ...plan, productType: "lottery" })]).toEqual([null, null]);
});
