import { compile } from "#core/questionnaire/compile.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadingOffer } from "../payment/snapshots.ts";
import { renderedSnapshot, type Snapshot } from "../session/session.ts";
import { askAgainAfter, goOnWhenConnected } from "./connection.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function waiting({ online = false } = {}) {
  let snapshot: Snapshot = { ...renderedSnapshot(compile(smallQuestionnaire), mexico, ""), tried: { questionId: 56, optionId: 1 } };
  const world = { online, questionId: 56, offer: "failed" };
  let tell = () => {};
  let back = () => {};
  const choose = vi.fn(async () => {});
  const retry = vi.fn();
  goOnWhenConnected({
    session: { snapshot: () => snapshot, subscribe: (listener) => ((tell = listener), () => {}), choose },
    offer: { snapshot: () => (world.offer === "failed" ? { ...loadingOffer, status: "failed" } : loadingOffer), retry },
    online: () => world.online,
    questionId: () => world.questionId,
    onOnline: (listener) => (back = listener),
  });
  const change = (next: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...next };
    tell();
  };
  return { world, change, choose, retry, back: () => back() };
}

describe("an answer that failed to send", () => {
  test("is sent when the connection is back", () => {
    const { change, choose, back } = waiting();
    change({ problem: "connection" });
    expect(choose).not.toHaveBeenCalled();
    back();
    expect(choose).toHaveBeenCalledExactlyOnceWith(56, 1);
  });

  test("is retried after a delay if there is a network but no response", async () => {
    const { change, choose, world } = waiting({ online: true });
    change({ problem: "connection" });
    await vi.advanceTimersByTimeAsync(askAgainAfter);
    expect(choose).toHaveBeenCalledTimes(1);
    world.online = false;
    change({ problem: "connection" });
    await vi.advanceTimersByTimeAsync(askAgainAfter);
    expect(choose).toHaveBeenCalledTimes(1);
  });

  test("is not retried after the visitor changes something or leaves, or after another kind of failure", () => {
    for (const turned of [{ problem: null }, { problem: "tooMany" }, { problem: "connection", busy: true }] as const) {
      const { change, choose, back } = waiting();
      change({ problem: "connection" });
      change(turned);
      back();
      expect(choose).not.toHaveBeenCalled();
    }
    const { change, choose, back, world } = waiting();
    change({ problem: "connection" });
    world.questionId = 2;
    back();
    expect(choose).not.toHaveBeenCalled();
  });
});

test("plans that failed to load are requested again when the connection is back", () => {
  const { retry, back, world } = waiting();
  back();
  world.offer = "ready";
  back();
  expect(retry).toHaveBeenCalledTimes(1);
});
