import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOutbox, type WaitingEvent } from "./outbox.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function outbox(fails: (time: number) => boolean = () => false) {
  const sent: (readonly WaitingEvent[])[] = [];
  let time = 0;
  let id = 0;
  const box = createOutbox({
    uuid: () => `id-${(id += 1)}`,
    now: () => new Date("2026-11-20T10:00:00Z"),
    send: async (events) => {
      if (fails((time += 1))) throw new Error("offline");
      sent.push(events);
    },
  });
  return { box, sent };
}
const shown = (questionId: number) => ({ eventType: "QuestionnaireQuestionShown", payload: { questionId } }) as const;

test("events are gathered for a second and go out together, each with an id and its time", async () => {
  const { box, sent } = outbox();
  box.add(shown(2));
  await vi.advanceTimersByTimeAsync(900);
  box.add(shown(3));
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([
    [
      { ...shown(2), id: "id-1", at: "2026-11-20T10:00:00.000Z" },
      { ...shown(3), id: "id-2", at: "2026-11-20T10:00:00.000Z" },
    ],
  ]);
});

test("what did not go out goes with the next batch, under the same id", async () => {
  const { box, sent } = outbox((time) => time === 1);
  box.add(shown(2));
  await vi.runAllTimersAsync();
  box.add(shown(3));
  await vi.runAllTimersAsync();
  expect(sent.map((batch) => batch.map(({ id }) => id))).toEqual([["id-1", "id-2"]]);
});

test("a page that goes away sends at once", async () => {
  const { box, sent } = outbox();
  box.add(shown(2));
  await box.flush(true);
  expect(sent).toHaveLength(1);
});

test("a batch holds no more than the contract allows, and a long time offline does not fill the device", async () => {
  const { box, sent } = outbox((time) => time === 1);
  for (let index = 0; index < 700; index += 1) box.add(shown(index + 1));
  await box.flush();
  await box.flush();
  expect(sent[0]).toHaveLength(100);
  for (let index = 0; index < 10; index += 1) await box.flush();
  expect(sent.flat()).toHaveLength(500);
  expect(sent.flat().at(-1)?.payload).toEqual({ questionId: 700 });
});
