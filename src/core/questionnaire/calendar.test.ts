import { expect, test } from "vitest";
import { dayIn, dayOf, daysBetween, isTimeZone, periodEnd } from "./calendar.ts";

test("the day of a time is the one in UTC", () => {
  expect([dayOf(0), dayOf(Date.UTC(2026, 10, 20, 23, 59, 59)), dayOf(Date.UTC(2026, 10, 21))]).toEqual([
    "1970-01-01",
    "2026-11-20",
    "2026-11-21",
  ]);
});

test("the date of a time in a time zone is the local one, even when UTC is already on the next day", () => {
  const evening = Date.parse("2026-11-29T02:30:00Z");
  const zones = ["America/Mexico_City", "America/Sao_Paulo", "UTC", "Europe/Berlin", "Pacific/Kiritimati"];
  expect(zones.map((zone) => dayIn(evening, zone))).toEqual(["2026-11-28", "2026-11-28", "2026-11-29", "2026-11-29", "2026-11-29"]);
  // When Berlin's clocks go back, there are two hours from two to three.
  expect([dayIn(Date.parse("2026-10-24T21:59:59Z"), "Europe/Berlin"), dayIn(Date.parse("2026-10-24T22:00:00Z"), "Europe/Berlin")]).toEqual([
    "2026-10-24",
    "2026-10-25",
  ]);
  expect(dayIn(Date.parse("0999-06-01T12:00:00Z"), "UTC")).toBe("0999-06-01");
});

test("days between two dates are negative when the second is earlier", () => {
  expect([
    daysBetween("2026-12-30", "2027-01-02"),
    daysBetween("2028-03-01", "2028-02-28"),
    daysBetween("2026-11-20", "2026-11-20"),
  ]).toEqual([3, -2, 0]);
});

test("a period ends at the same time of day, and on the month's last day if the month is too short", () => {
  const end = (start: string, count: number, unit: "day" | "week" | "month") =>
    new Date(periodEnd(Date.parse(start), count, unit)).toISOString();
  expect(end("2026-11-20T12:34:56.789Z", 7, "day")).toBe("2026-11-27T12:34:56.789Z");
  expect(end("2026-11-20T12:34:56.789Z", 2, "week")).toBe("2026-12-04T12:34:56.789Z");
  expect(end("2027-01-31T23:59:59.999Z", 1, "month")).toBe("2027-02-28T23:59:59.999Z");
  expect(end("2026-11-30T00:00:00Z", 3, "month")).toBe("2027-02-28T00:00:00.000Z");
  expect(end("2027-12-31T08:00:00Z", 2, "month")).toBe("2028-02-29T08:00:00.000Z");
});

test("only known names are time zones", () => {
  expect(["America/Mexico_City", "UTC", "Mars/Olympus", "", "x".repeat(64)].map(isTimeZone)).toEqual([true, true, false, false, false]);
});
