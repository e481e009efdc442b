import { uiTexts } from "#content/texts/ui.ts";
import type { SubscriptionView } from "#core/api.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { mexico, smallQuestionnaire } from "#test/questionnaires.ts";
import { stage } from "#test/stage.ts";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test } from "vitest";
import { defaultClientConfig } from "../../../clientConfig.ts";
import { silentServices } from "../../../services.ts";
import { fakeApi } from "../../../session/fakeApi.ts";
import { frozenSession, renderedSnapshot } from "../../../session/session.ts";
import { memoryStore } from "../../../session/storage.ts";
import { SiteProvider, webSite } from "../../../siteContext.tsx";
import { page } from "./page.tsx";

const bought: SubscriptionView = {
  status: "active",
  end: "2026-11-27T18:00:00.000Z",
  productType: "subscription",
  productPlan: "3M",
  currency: "MXN",
  price: 74_700,
  trialing: true,
  nextCharge: "2026-11-27T18:00:00.000Z",
  change: null,
  actions: [],
};

/** What the page says below its heading on a day. */
async function thanked(subscription: SubscriptionView, today: string) {
  const element = stage("es-419");
  const compiled = compile(smallQuestionnaire);
  const store = memoryStore();
  store.set("token", "t");
  const site = webSite({
    locale: "es-419",
    texts: uiTexts("es-419"),
    loadMoreTexts: () => Promise.resolve({}),
    session: frozenSession(compiled, { ...renderedSnapshot(compiled, { ...mexico, today }, ""), live: true }),
    services: { ...silentServices(), api: fakeApi({ subscription: () => ({ subscription }) }), store },
    client: defaultClientConfig,
    bare: false,
  });
  const root = createRoot(element);
  await act(async () =>
    root.render(
      <SiteProvider value={site}>
        <page.View params={{ version: "76" }} />
      </SiteProvider>,
    ),
  );
  onTestFinished(() => act(() => root.unmount()));
  return element.textContent;
}

test.each(["2026-11-20", "2026-11-24"])("opened on %s, the trial ends on the day on which it does", async (today) => {
  expect(await thanked(bought, today)).toMatch(/27\sde\snoviembre\sde\s2026/);
});

test("without a trial no day is named", async () => {
  const text = await thanked({ ...bought, trialing: false }, "2026-11-20");
  expect(text).not.toMatch(/2026/);
  expect(text).toContain("Te mandamos el recibo por correo.");
});
