/** The warning about an old system appears once, with the first answer (spec 001 §4). */
import { compile } from "#core/questionnaire/compile.ts";
import { step } from "#core/questionnaire/step.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { mount } from "#test/mount.tsx";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { renderedSnapshot, type Snapshot } from "../session/session.ts";
import { watchAnswers } from "./answered.ts";
import { memoryStore } from "../device/storage.ts";
import { OldSystem } from "./OldSystem.tsx";

const compiled = compile(smallQuestionnaire);

async function visit(userAgent: string, { store = memoryStore() } = {}) {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  const track = vi.fn();
  const listeners = new Set<() => void>();
  let snapshot: Snapshot = { ...renderedSnapshot(compiled, mexico, ""), live: true };
  const answered = watchAnswers(snapshot.state.selectedOptions);
  const site = testSite({
    session: { subscribe: (changed) => (listeners.add(changed), () => listeners.delete(changed)), snapshot: () => snapshot },
    services: { store, track },
  });
  const element = await mount(
    site,
    <main>
      <h1 tabIndex={-1}>¿Para qué?</h1>
      <OldSystem answered={answered} />
    </main>,
  );
  return {
    store,
    track,
    heading: element.querySelector("h1"),
    notice: () => element.querySelector("dialog"),
    answer: (questionId: number) =>
      act(() => {
        const { state } = step(compiled, snapshot.state, { type: "answer", questionId, optionId: 1 }, mexico);
        answered.moved(snapshot.state, state);
        snapshot = { ...snapshot, state };
        for (const changed of listeners) changed();
      }),
  };
}

const old = "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X)";

test("a visitor with an old system is warned with the first answer, and never again", async () => {
  const { notice, answer, store, track } = await visit(old);
  expect(notice()).toBeNull();
  await answer(2);
  expect(notice()?.open).toBe(true);
  expect([store.get("oldOSWarning"), track.mock.calls]).toEqual([
    "true",
    [[{ eventType: "QuestionnairePopupShown", payload: { popupId: "OldOS", questionId: 3 } }]],
  ]);
  const again = await visit(old, { store });
  await again.answer(3);
  expect(again.notice()).toBeNull();
});

test("two tabs that were open before the first answer warn once between them", async () => {
  const store = memoryStore();
  const [tab, other] = [await visit(old, { store }), await visit(old, { store })];
  await tab.answer(2);
  await other.answer(2);
  expect([tab.notice()?.open, other.notice(), other.track.mock.calls]).toEqual([true, null, []]);
});

test("closing the warning returns to the question", async () => {
  const { notice, answer, heading } = await visit(old);
  await answer(2);
  notice()?.querySelector("button")?.click();
  await expect.poll(() => document.activeElement).toBe(heading);
});

test("nobody else is warned", async () => {
  const { notice, answer, store } = await visit("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)");
  await answer(2);
  expect([notice(), store.get("oldOSWarning")]).toEqual([null, null]);
});
