import { describe, expect, it } from "vitest";
import { offerDates } from "./offerDates.ts";
import type { OfferTerms } from "./terms.ts";

const trial: OfferTerms = {
  count: 3,
  unit: "month",
  renews: true,
  dueToday: 0,
  nextCharge: "2026-11-27",
  end: null,
  perUnit: 24_900,
  listPerUnit: null,
};
const told = (terms: OfferTerms) => offerDates(terms, "2026-11-20").map(({ on, events }) => `${on} ${events.join(" and ")}`);

describe("the dates of an offer", () => {
  it("of a trial are its start, the reminder two days before the charge, and the charge", () => {
    expect(told(trial)).toEqual(["2026-11-20 startTrial", "2026-11-25 remind", "2026-11-27 charge"]);
  });

  it("without a trial are today's payment, the end of the guarantee and the renewal, in their order", () => {
    expect(told({ ...trial, dueToday: 74_700, nextCharge: "2027-02-20" })).toEqual([
      "2026-11-20 startPaid",
      "2026-12-20 guarantee",
      "2027-02-20 renew",
    ]);
    expect(told({ ...trial, count: 1, unit: "week", dueToday: 990, nextCharge: "2026-11-27" })).toEqual([
      "2026-11-20 startPaid",
      "2026-11-27 renew",
      "2026-12-20 guarantee",
    ]);
  });

  it("contain a day once, even if the guarantee ends on the day of the renewal or of the end of access", () => {
    const month = { ...trial, count: 1, dueToday: 24_900, nextCharge: "2026-12-20" };
    expect(told(month)).toEqual(["2026-11-20 startPaid", "2026-12-20 guarantee and renew"]);
    expect(told({ ...month, nextCharge: null, end: "2026-12-20" })).toEqual(["2026-11-20 startPaid", "2026-12-20 guarantee and end"]);
  });

  it("of a one-time purchase end with the access, without another charge", () => {
    const once = { ...trial, renews: false, dueToday: 74_700, nextCharge: null, end: "2027-02-20" };
    expect(told(once)).toEqual(["2026-11-20 startPaid", "2026-12-20 guarantee", "2027-02-20 end"]);
    expect(told({ ...once, end: "2026-12-04" }).at(1)).toBe("2026-12-04 end");
    expect(told({ ...once, dueToday: 0 })).toEqual(told(once));
  });
});
