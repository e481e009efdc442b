/** The notice about an old system comes once, when an answer is given (spec 001 §4). */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { step } from "#core/questionnaire/step.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultClientConfig } from "../clientConfig.ts";
import { silentServices } from "../services.ts";
import { frozenSession, renderedSnapshot, type Session, type Snapshot } from "../session/session.ts";
import { memoryStore } from "../session/storage.ts";
import { SiteProvider, webSite } from "../siteContext.tsx";
import { OldSystem } from "./OldSystem.tsx";

const compiled = compile(smallQuestionnaire);

async function visit(userAgent: string, store = memoryStore()) {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  const element = stage("es-419");
  const track = vi.fn();
  const listeners = new Set<() => void>();
  let snapshot: Snapshot = { ...renderedSnapshot(compiled, mexico, ""), live: true };
  const session: Session = {
    ...frozenSession(compiled, snapshot),
    subscribe: (changed) => (listeners.add(changed), () => listeners.delete(changed)),
    snapshot: () => snapshot,
  };
  const site = webSite({
    locale: "es-419",
    texts: uiTexts("es-419"),
    loadMoreTexts: () => Promise.resolve({}),
    session,
    services: { ...silentServices(), store, track },
    client: defaultClientConfig,
    bare: false,
  });
  const root = createRoot(element);
  await act(async () =>
    root.render(
      <SiteProvider value={site}>
        <OldSystem />
      </SiteProvider>,
    ),
  );
  onTestFinished(() => act(() => root.unmount()));
  return {
    store,
    track,
    notice: () => element.querySelector("dialog"),
    answer: (questionId: number) =>
      act(() => {
        const { state } = step(compiled, snapshot.state, { type: "answer", questionId, optionId: 1 }, mexico);
        snapshot = { ...snapshot, state };
        for (const changed of listeners) changed();
      }),
  };
}

const old = "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X)";

test("a visitor with an old system is told with the first answer, and never again", async () => {
  const { notice, answer, store, track } = await visit(old);
  expect(notice()).toBeNull();
  await answer(2);
  expect(notice()?.open).toBe(true);
  expect([store.get("oldOSWarning"), track.mock.calls]).toEqual([
    "true",
    [[{ eventType: "QuestionnairePopupShown", payload: { popupId: "OldOS", questionId: 3 } }]],
  ]);
  const again = await visit(old, store);
  await again.answer(3);
  expect(again.notice()).toBeNull();
});

test("nobody else is told", async () => {
  const { notice, answer, store } = await visit("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)");
  await answer(2);
  expect([notice(), store.get("oldOSWarning")]).toEqual([null, null]);
});
