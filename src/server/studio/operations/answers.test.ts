import { expect, it } from "vitest";
import { createAnswers } from "./answers.ts";

const minute = 60_000;

it("counts requests and failures over five minutes, and the 95th percentile of their times", () => {
  let now = 100 * minute;
  const answers = createAnswers(() => now);
  expect(answers.lately()).toEqual({ requests: 0, failures: 0, p95_ms: null });
  for (let n = 0; n < 95; n += 1) answers.count(200, 10);
  for (let n = 0; n < 3; n += 1) answers.count(500, 2_000);
  for (let n = 0; n < 2; n += 1) answers.count(503, 0.2);
  const { p95_ms: p95, ...counts } = answers.lately();
  expect(counts).toEqual({ requests: 100, failures: 3 });
  // Each bin is a fifth wider than the one before.
  expect(p95).toBeGreaterThanOrEqual(10);
  expect(p95).toBeLessThanOrEqual(13);
  for (let n = 0; n < 10; n += 1) answers.count(200, 2_000);
  expect(answers.lately().p95_ms).toBeGreaterThanOrEqual(2_000);
  expect(answers.lately().p95_ms).toBeLessThanOrEqual(2_400);
  now += 5 * minute;
  expect(answers.lately()).toEqual({ requests: 0, failures: 0, p95_ms: null });
});
