import { describe, expect, it } from "vitest";
import { planStatusOf } from "./entitlement.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const past = "2026-11-20T11:59:59Z";
const future = "2026-11-20T12:00:01Z";
const thisMoment = "2026-11-20T12:00:00Z";
const none = "0001-01-01T00:00:00Z";

describe("an entitlement", () => {
  it.each([
    ["active", future, "usable"],
    ["active", past, "usable"],
    ["active", none, "none"],
    ["past_due", future, "usable"],
    ["past_due", past, "usable"],
    ["past_due", none, "none"],
    ["deleted", future, "lapsed"],
    ["deleted", past, "lapsed"],
    ["deleted", none, "lapsed"],
    ["paused", future, "lapsed"],
    ["paused", past, "lapsed"],
    ["paused", none, "lapsed"],
    [undefined, future, "usable"],
    [undefined, past, "lapsed"],
    [undefined, thisMoment, "lapsed"],
    [undefined, none, "none"],
    [undefined, "not a date", "none"],
    ["something new", future, "none"],
  ] as const)("with status %s and end %s is %s", (status, end, standing) => {
    expect(planStatusOf({ status, end }, now)).toBe(standing);
  });
  it("is no plan when the account has none", () => {
    expect(planStatusOf(undefined, now)).toBe("none");
  });
});
