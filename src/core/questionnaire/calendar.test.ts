import { expect, test } from "vitest";
import { dayOf } from "./calendar.ts";

test("the day of a time is the one in UTC", () => {
  expect([dayOf(0), dayOf(Date.UTC(2026, 10, 20, 23, 59, 59)), dayOf(Date.UTC(2026, 10, 21))]).toEqual([
    "1970-01-01",
    "2026-11-20",
    "2026-11-21",
  ]);
});
