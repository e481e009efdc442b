import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeApi, refusal } from "../session/fakeApi.ts";
import { repeating } from "./repeat.ts";
import { ApiError, callLimit, ConnectionError } from "./request.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const busy = (retryAfter?: number) => new ApiError(503, "/api/check-email", 1503, "Not ready.", {}, retryAfter);
const lost = new ConnectionError("/api/check-email", null);

/** Calls an API that fails with these errors in turn and then answers; `always`: with the last one for ever. */
function calling(errors: readonly Error[], always = false) {
  const started = performance.now();
  const times: number[] = [];
  const api = fakeApi({
    checkEmail: (_input, time) => {
      times.push(performance.now() - started);
      const error = errors[always ? Math.min(time, errors.length - 1) : time];
      if (error !== undefined) throw error;
      return { available: true };
    },
  });
  const outcome = repeating(api)
    .call("checkEmail", { body: { email: "ana@example.com" } })
    .catch((error: unknown) => error);
  return { times, outcome };
}

test("a busy server is asked again after the time that it names, else after a growing pause", async () => {
  const { times, outcome } = calling([busy(3_000), busy(), busy()]);
  await vi.runAllTimersAsync();
  expect([await outcome, times]).toEqual([{ available: true }, [0, 3_000, 5_000, 9_000]]);
});

test("a call ends with the last error before the limit of a call, at once if the server names a later time", async () => {
  const { times, outcome } = calling([busy(6_000)], true);
  await vi.runAllTimersAsync();
  expect([await outcome, times]).toEqual([busy(6_000), [0, 6_000, 12_000, 18_000]]);
  const later = calling([busy(callLimit)]);
  expect([await later.outcome, later.times]).toEqual([busy(callLimit), [0]]);
});

test("a lost answer is asked for once, without a connection not at all", async () => {
  const once = calling([lost]);
  await vi.runAllTimersAsync();
  expect([await once.outcome, once.times]).toEqual([{ available: true }, [0, 1_000]]);
  const twice = calling([lost, lost]);
  await vi.runAllTimersAsync();
  expect([await twice.outcome, twice.times]).toEqual([lost, [0, 1_000]]);
  vi.stubGlobal("navigator", { onLine: false });
  const offline = calling([lost]);
  expect([await offline.outcome, offline.times]).toEqual([lost, [0]]);
});

test.each([1101, 1429, 1500] as const)("a refusal (%i) is final", async (code) => {
  const { times, outcome } = calling([refusal(code)]);
  expect([await outcome, times]).toEqual([refusal(code), [0]]);
});
