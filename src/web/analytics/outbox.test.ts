import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WaitingEvent } from "../session/event.ts";
import { createOutbox } from "./outbox.ts";
import { noEventStore, type EventStore } from "./eventStore.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Refused extends Error {}
const event = (sequence: number): WaitingEvent => ({
  eventType: "QuestionnaireQuestionShown",
  payload: { questionId: sequence },
  id: `id-${sequence}`,
  at: "2026-11-20T10:00:00.000Z",
  sequence,
});

function eventStoreOf(kept: readonly WaitingEvent[] = []): EventStore & { readonly kept: () => readonly string[] } {
  const events = new Map(kept.map((each) => [each.id, each]));
  return {
    all: async () => [...events.values()],
    put: (each) => void events.set(each.id, each),
    remove: (ids) => ids.forEach((id) => events.delete(id)),
    kept: () => [...events.keys()],
  };
}

function outbox({
  eventStore = noEventStore,
  answer = () => null,
}: { readonly eventStore?: EventStore; readonly answer?: (ids: readonly string[], time: number) => Error | null } = {}) {
  const sent: (readonly string[])[] = [];
  const times: number[] = [];
  const report = vi.fn();
  const box = createOutbox({
    eventStore,
    random: () => 1,
    report,
    isRefusal: (error) => error instanceof Refused,
    send: async (events) => {
      const ids = events.map(({ id }) => id);
      times.push(Date.now());
      const failure = answer(ids, times.length);
      if (failure !== null) throw failure;
      sent.push(ids);
    },
  });
  return { box, sent, times, report };
}

describe("the outbox", () => {
  test("gathers events for a second and sends them together, in order", async () => {
    const { box, sent } = outbox();
    box.add(event(1));
    await vi.advanceTimersByTimeAsync(900);
    box.add(event(2));
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([["id-1", "id-2"]]);
  });

  test("retries with growing delays, never gives up, and loses no event meanwhile", async () => {
    const { box, sent, times } = outbox({ answer: (_ids, time) => (time <= 12 ? new Error("offline") : null) });
    box.add(event(1));
    await vi.advanceTimersByTimeAsync(1000);
    box.add(event(2));
    await vi.advanceTimersByTimeAsync(60 * 60 * 1000);
    expect(sent.flat()).toEqual(["id-1", "id-2"]);
    const waits = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300].map((seconds) => seconds * 1000));
  });

  test("sends at once when the connection is back, in one request despite several flushes", async () => {
    let online = false;
    const { box, sent } = outbox({ answer: () => (online ? null : new Error("offline")) });
    box.add(event(1));
    await vi.advanceTimersByTimeAsync(1000);
    online = true;
    await Promise.all([box.flush(), box.flush()]);
    expect(sent).toEqual([["id-1"]]);
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(1);
  });

  test("keeps exactly the events that the server has not confirmed", async () => {
    const eventStore = eventStoreOf();
    const { box } = outbox({ eventStore, answer: (_ids, time) => (time === 1 ? new Error("offline") : null) });
    box.add(event(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect([eventStore.kept(), box.waiting().length]).toEqual([["id-1"], 1]);
    await box.flush();
    expect([eventStore.kept(), box.waiting().length]).toEqual([[], 0]);
  });

  test("sends an earlier page's events first", async () => {
    const eventStore = eventStoreOf([event(1), event(2)]);
    const { box, sent } = outbox({ eventStore });
    box.add(event(3));
    await vi.runAllTimersAsync();
    expect([sent.flat(), eventStore.kept()]).toEqual([["id-1", "id-2", "id-3"], []]);
  });

  test("never exceeds the batch limit, and sends everything", async () => {
    const { box, sent } = outbox();
    for (let n = 1; n <= 250; n += 1) box.add(event(n));
    await vi.runAllTimersAsync();
    expect(sent.map((batch) => batch.length)).toEqual([100, 100, 50]);
  });

  test("an invalid event is reported and does not stop the others", async () => {
    const { box, sent, report } = outbox({ answer: (ids) => (ids.includes("id-7") ? new Refused() : null) });
    for (let n = 1; n <= 10; n += 1) box.add(event(n));
    await vi.runAllTimersAsync();
    expect(sent.flat().toSorted()).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10].map((n) => `id-${n}`).toSorted());
    expect([report.mock.calls.length, box.waiting()]).toEqual([1, []]);
  });
});
