import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { giveUpAfter, type PaymentStatus, pollInterval, pollPayment, slowAfter } from "./post-purchase/pollPayment.ts";
import { maskedEmail } from "./start-level-test/maskedEmail.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("waiting for a payment", () => {
  function poll(answer: (time: number) => PaymentStatus) {
    let asked = 0;
    const stop = new AbortController();
    const onSlow = vi.fn();
    const ask = vi.fn(async () => answer((asked += 1)));
    return { result: pollPayment({ ask, signal: stop.signal, onSlow }), ask, onSlow, stop };
  }

  test("polls every 1.5 s while it is pending", async () => {
    const { result, ask } = poll((time) => (time < 3 ? "pending" : "completed"));
    await vi.advanceTimersByTimeAsync(2 * pollInterval - 1);
    expect([pollInterval, ask.mock.calls.length]).toEqual([1500, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe("completed");
  });

  test("a failed request says nothing about the payment", async () => {
    const { result } = poll((time) => {
      if (time === 1) throw new Error("offline");
      return "cancelled";
    });
    await vi.runAllTimersAsync();
    expect(await result).toBe("cancelled");
  });

  test.each([
    ["are quick", async () => "pending" as const],
    ["take half a minute each", () => new Promise<PaymentStatus>((resolve) => setTimeout(() => resolve("pending"), 31_000))],
    ["never come", () => new Promise<PaymentStatus>(() => {})],
  ])("says after 30 s that it takes longer, and lets the visitor decide in the end, when responses %s", async (_how, ask) => {
    const onSlow = vi.fn();
    const result = pollPayment({ ask, signal: new AbortController().signal, onSlow });
    await vi.advanceTimersByTimeAsync(slowAfter - 1);
    expect([slowAfter, onSlow.mock.calls.length]).toEqual([30_000, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(onSlow).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(giveUpAfter - slowAfter);
    expect(await result).toBe("pending");
  });

  test("stops with the page", async () => {
    const { result, ask, stop } = poll(() => "pending");
    await vi.advanceTimersByTimeAsync(0);
    stop.abort();
    await vi.runAllTimersAsync();
    expect([await result, ask.mock.calls.length]).toEqual(["pending", 1]);
  });
});

test.each([
  ["lucia.ramos@ejemplo.mx", "l•••s@ejemplo.mx"],
  ["al@example.com", "a•••@example.com"],
  ["a@example.com", "a•••@example.com"],
])("%s is shown as %s", (email, masked) => {
  expect(maskedEmail(email)).toBe(masked);
});
