/** Where the wait for a payment leads (spec 001 §4, "Post-purchase"). */
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { buildPath } from "#core/routes.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultClientConfig } from "../../../clientConfig.ts";
import { silentServices } from "../../../services.ts";
import { fakeApi } from "../../../session/fakeApi.ts";
import { frozenSession, renderedSnapshot } from "../../../session/session.ts";
import { memoryStore } from "../../../session/storage.ts";
import { SiteProvider, webSite } from "../../../siteContext.tsx";
import { page } from "./page.tsx";
import type { PaymentStatus } from "./pollPayment.ts";

const went = vi.hoisted(() => vi.fn());
vi.mock(import("../../../navigation.ts"), async (original) => ({ ...(await original()), goToPath: went }));

async function waited(statuses: readonly PaymentStatus[], reset?: string) {
  went.mockReset();
  const element = stage("es-419");
  const compiled = compile(smallQuestionnaire);
  const store = memoryStore();
  store.set("paymentProvider", "paddle");
  store.set("token", "t");
  if (reset !== undefined) store.set("questionnaireSkip", reset);
  const api = fakeApi({ paymentStatus: (_input, time) => ({ status: statuses[time] ?? "pending" }) });
  const site = webSite({
    locale: "es-419",
    texts: uiTexts("es-419"),
    loadMoreTexts: () => Promise.resolve({}),
    session: frozenSession(compiled, { ...renderedSnapshot(compiled, mexico, ""), live: true }),
    services: { ...silentServices(), api, store },
    client: defaultClientConfig,
    bare: false,
  });
  const root = createRoot(element);
  await act(() =>
    root.render(
      <SiteProvider value={site}>
        <page.View params={{ version: "76" }} />
      </SiteProvider>,
    ),
  );
  onTestFinished(() => act(() => root.unmount()));
  for (const _ of statuses.slice(1)) await act(() => vi.advanceTimersByTimeAsync(1500));
  return { ways: went.mock.calls.map(([path]) => path), calls: api.calls, status: store.get("paymentStatus") };
}

test("it asks how the latest payment of the chosen provider went, and thanks when it was paid", async () => {
  const { ways, calls, status } = await waited(["pending", "pending", "completed"]);
  expect(calls).toEqual(Array.from({ length: 3 }, () => ["paymentStatus", { paymentId: "", paymentProvider: "paddle" }]));
  expect(ways).toEqual([buildPath("questionnaire/thank-you", "es-419", { version: "76" })]);
  expect(status).toBe("completed");
});

test("a cancelled or failed payment leads to the page that says so", async () => {
  const failed = [buildPath("payment/failed", "es-419")];
  expect((await waited(["pending", "cancelled"])).ways).toEqual(failed);
  expect((await waited(["failed"])).ways).toEqual(failed);
});

test("whoever came back to a plan goes on to the level test", async () => {
  expect((await waited(["completed"], "reactivate")).ways).toEqual([
    buildPath("questionnaire/start-level-test", "es-419", { version: "76" }),
  ]);
});
