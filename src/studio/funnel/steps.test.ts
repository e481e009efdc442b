import { expect, test } from "vitest";
import type { Counted, Step } from "../contract/funnel.ts";
import { comparedAt, comparedPurchases, shareAt, worstScreens } from "./steps.ts";

const step = (questionId: number, wentOn: number, left: number, isEnd = false): Step => ({
  questionId,
  title: "",
  entered: wentOn + left,
  wentOn,
  left,
  stillThere: 0,
  medianSeconds: null,
  isEnd,
});
const version = (...steps: readonly Step[]): Counted => ({
  version: "86",
  changedDays: 0,
  visitors: 0,
  began: 0,
  purchases: 0,
  steps: [...steps],
});

test("hides a share of fewer than 30 visitors", () => {
  expect(shareAt(29, 29)).toBeNull();
  expect(shareAt(15, 30)).toBe(0.5);
});

test("marks the two screens that lose the largest share, ignoring those with few visitors and those that end the funnel", () => {
  expect(worstScreens([step(2, 90, 10), step(3, 50, 50), step(4, 70, 30), step(5, 1, 28), step(81, 0, 40, true)])).toEqual(new Set([3, 4]));
});

test("a difference is certain when its interval excludes zero", () => {
  expect(comparedAt(step(67, 683, 317), version(step(67, 734, 266)))?.certain).toBe(true);
  expect(comparedAt(step(67, 68, 32), version(step(67, 73, 27)))?.certain).toBe(false);
  expect(comparedAt(step(67, 5, 5), version(step(67, 500, 5)))).toBeNull();
  expect(comparedAt(step(67, 500, 5), null)).toBeNull();
});

test("judges the difference in purchases, and not with fewer than 30 visitors", () => {
  const bought = (purchases: number, visitors: number): Counted => ({ ...version(), purchases, visitors });
  expect(comparedPurchases(bought(36, 543), bought(39, 539))?.certain).toBe(false);
  expect(comparedPurchases(bought(36, 543), bought(90, 539))).toMatchObject({ certain: true, difference: { value: 90 / 539 - 36 / 543 } });
  expect(comparedPurchases(bought(36, 543), bought(20, 29))).toBeNull();
});
