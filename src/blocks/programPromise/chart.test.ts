import { levels } from "#core/questionnaire/definition.ts";
import { describe, expect, it } from "vitest";
import { chartOf } from "./chart.ts";

describe("the promise’s chart", () => {
  it("shows the levels from today’s to one above the target", () => {
    const { rows, start, end } = chartOf("basic", "intermediate", 6);
    expect(rows).toEqual([
      { level: "basic", y: 18, reached: true },
      { level: "intermediate", y: 53, reached: true },
      { level: "upperintermediate", y: 88, reached: false },
    ]);
    expect([start, end]).toEqual([18, 53]);
  });

  it("always rises and stays inside, whatever the levels", () => {
    for (const from of levels) {
      for (const to of levels) {
        const { rows, start, end, band, target } = chartOf(from, to, 9);
        expect(end, `${from} to ${to}`).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(88);
        expect(rows.find(({ y }) => y === start)?.level).toBe(from);
        expect(rows.find(({ y }) => y === end)?.level ?? null).toBe(target);
        for (const coordinate of band.match(/-?[\d.]+/g) ?? []) expect(Number(coordinate)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it("goes on half a step beyond the highest level, with the one below in view", () => {
    const { rows, target, start, end } = chartOf("upperintermediate", "upperintermediate", 6);
    expect(rows).toEqual([
      { level: "intermediate", y: 18, reached: false },
      { level: "upperintermediate", y: 64.7, reached: true },
    ]);
    expect([target, start, end]).toEqual([null, 64.7, 88]);
  });

  it("aims at the next level where the target is none above today’s", () => {
    expect(chartOf("basic", "basic", 6).target).toBe("intermediate");
    expect(chartOf("intermediate", "beginner", 6).target).toBe("upperintermediate");
    expect(chartOf("beginner", "intermediate", 6).target).toBe("intermediate");
  });

  it("names today, the end and at most two months between", () => {
    const months = (length: number) => chartOf("basic", "intermediate", length).ticks.map(({ month }) => month);
    expect(months(6)).toEqual([0, 2, 4, 6]);
    expect(months(3)).toEqual([0, 1, 2, 3]);
    expect(months(9)).toEqual([0, 3, 6, 9]);
    expect(months(1)).toEqual([0, 1]);
    expect(months(7)).toEqual([0, 2, 5, 7]);
    expect(chartOf("basic", "intermediate", 7).ticks.at(-1)?.x).toBe(100);
  });
});
