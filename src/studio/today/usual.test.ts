import { usualOf, verdictOf } from "./usual.ts";
import { describe, expect, it } from "vitest";

describe("the usual value", () => {
  it("is unknown without earlier days", () => expect(usualOf([])).toBeNull());

  it("is the value of a single day", () => expect(usualOf([7])).toEqual({ median: 7, low: 7, high: 7 }));

  it("is the median of several days, with the range of eight in ten of them", () => {
    expect(usualOf([9, 1, 5])).toEqual({ median: 5, low: 1.8, high: 8.2 });
    expect(usualOf([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])).toEqual({ median: 50, low: 10, high: 90 });
  });

  it("includes the whole numbers to which the ends of its range are rounded", () => {
    const usual = { median: 5, low: 1.8, high: 8.2 };
    expect([0, 1, 5, 9, 10].map((now) => verdictOf(now, usual))).toEqual(["below", "usual", "usual", "usual", "above"]);
  });
});
