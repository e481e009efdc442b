import { describe, expect, it } from "vitest";
import { chartOf } from "./chart.ts";

describe("the promise’s chart", () => {
  it("rises from today’s level to the program’s stage, below the target; the band stays inside the plot", () => {
    const { rows, start, end, band } = chartOf({ months: 6, stages: 5 });
    expect(rows).toEqual([
      { row: "initial", y: start },
      { row: "stage", y: end },
      { row: "target", y: 88 },
    ]);
    expect([start, end]).toEqual([16, 30.4]);
    for (const coordinate of band.match(/-?[\d.]+/g) ?? []) expect(Number(coordinate)).toBeGreaterThanOrEqual(0);
  });

  it.each([5, 10, 15, 20])("has the program’s stage at one of %i equal parts of the way, like the bar in the mail", (stages) => {
    const { start, end } = chartOf({ months: 6, stages });
    expect((end - start) / (88 - start)).toBeCloseTo(1 / stages, 2);
  });

  it("marks the stages between the program’s and the target at equal distances", () => {
    expect(chartOf({ months: 6, stages: 5 }).later).toEqual([44.8, 59.2, 73.6]);
    expect(chartOf({ months: 6, stages: 1 }).later).toEqual([]);
    expect(chartOf({ months: 6, stages: 15 }).later).toHaveLength(13);
  });

  it("labels today, the end, and at most four months at equal distances between them", () => {
    const months = (length: number) => chartOf({ months: length, stages: 5 }).ticks.map(({ month }) => month);
    expect(months(3)).toEqual([0, 1, 2, 3]);
    expect(months(5)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(months(6)).toEqual([0, 2, 4, 6]);
    expect(months(8)).toEqual([0, 2, 4, 6, 8]);
    expect(months(9)).toEqual([0, 3, 6, 9]);
    expect(months(10)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(months(1)).toEqual([0, 1]);
    expect(months(7)).toEqual([0, 2, 5, 7]);
    expect(chartOf({ months: 7, stages: 5 }).ticks.at(-1)?.x).toBe(100);
  });
});
