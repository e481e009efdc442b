import { describe, expect, test } from "vitest";
import { inText, readReportOptions, reportPage } from "./report.ts";

const report = {
  version: "76",
  changedDays: 0,
  visitors: 5,
  began: 4,
  purchases: 1,
  steps: [
    { questionId: 2, entered: 5, wentOn: 4, left: 1, stillThere: 0, medianSeconds: 3.4 },
    { questionId: 82, entered: 2, wentOn: 1, left: 0, stillThere: 1, medianSeconds: 150 },
  ],
};
const headings = new Map([[2, "Why <English>?"]]);

describe("the printed report", () => {
  test("has a row for each question, with shares and median times", () => {
    expect(
      inText(report, headings)
        .split("\n")
        .map((line) => line.trim().replaceAll(/ {2,}/g, " | ")),
    ).toEqual([
      "Version 76: 5 visitors, 4 began (80.0 %), 1 bought (20.0 %)",
      "question | entered | went on | left | still there | left of entered | time",
      "2 | 5 | 4 | 1 | 0 | 20.0 % | 3 s | Why <English>?",
      "82 | 2 | 1 | 0 | 1 | 0.0 % | 2.5 min",
    ]);
  });
});

test("the page has the same numbers and a bar for each question, and loads nothing", () => {
  const page = reportPage([{ report, headings }], Date.parse("2026-11-20T12:00:00Z"));
  expect(page).toContain("2 Why &lt;English&gt;?");
  expect(page).toContain('aria-label="1 went on, 0 left, 1 still there"');
  expect(page.match(/<svg /g)).toHaveLength(2);
  expect(page).not.toMatch(/src=|href=|url\(/);
});

describe("the command's options", () => {
  test("are a version and days, the last one included", () => {
    expect(readReportOptions(["--version", "76", "--from", "2026-11-01", "--to", "2026-11-20"])).toEqual({
      version: "76",
      from: Date.parse("2026-11-01T00:00:00Z"),
      to: Date.parse("2026-11-21T00:00:00Z"),
      out: "build/report",
    });
    expect(readReportOptions([])).toMatchObject({ version: undefined, from: undefined, to: undefined });
  });
  test("are refused with a sentence when a day is malformed", () => {
    expect(() => readReportOptions(["--from", "yesterday"])).toThrow("--from must be a day like 2026-11-20, but is yesterday.");
  });
});
