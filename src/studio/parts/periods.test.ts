import { expect, test } from "vitest";
import { periods } from "./periods.ts";

const period = (words: string, now: string) => {
  const days = periods.find(([name]) => name === words)?.[1](Date.parse(now));
  return [days?.from, days?.to];
};

test("last month is the whole calendar month before, across a year and in a leap year", () => {
  expect(period("Last month", "2026-11-25T20:00:00Z")).toEqual(["2026-10-01", "2026-10-31"]);
  expect(period("Last month", "2027-01-01T00:00:00Z")).toEqual(["2026-12-01", "2026-12-31"]);
  expect(period("Last month", "2028-03-31T23:59:59Z")).toEqual(["2028-02-01", "2028-02-29"]);
  expect(period("This month", "2026-11-25T20:00:00Z")).toEqual(["2026-11-01", "2026-11-25"]);
});

test("last week begins on Monday, whatever the day is", () => {
  expect(period("Last week", "2026-11-25T20:00:00Z")).toEqual(["2026-11-16", "2026-11-22"]);
  expect(period("Last week", "2026-11-22T20:00:00Z")).toEqual(["2026-11-09", "2026-11-15"]);
  expect(period("Last 28 days", "2026-11-25T20:00:00Z")).toEqual(["2026-10-28", "2026-11-24"]);
});
