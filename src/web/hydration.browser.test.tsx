/** Hydration matches the server's HTML: React has nothing to correct. */
import { embeddedVersion, questionnaireFor } from "#content/questionnaires/index.ts";
import { compile } from "#core/questionnaire/compile.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import "#ui/base.css";
import "#ui/tokens.css";
import { testSession } from "#test/webSession.ts";
import { testSite } from "#test/webSite.ts";
import { act } from "react";
import { hydrateRoot } from "react-dom/client";
import { noAssets } from "#test/noAssets.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { App, loadPage } from "./App.tsx";
import { defaultClientConfig } from "./clientConfig.ts";
import { createRenderer } from "./entry-server.tsx";
import { appRootId } from "./page.ts";
import { renderedSnapshot } from "./session/session.ts";
import { memoryStore } from "./device/storage.ts";

const { render } = createRenderer(noAssets, defaultClientConfig);
const funnel = compile(questionnaireFor("76", "es-419"));
const embedded = compile(questionnaireFor(embeddedVersion["es-419"], "es-419"));
const today = "2026-11-20";
const rendering = { locale: "es-419", country: "MX", platform: "other", requiresMarketingConsent: false, today } as const;
const address = location.href;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  history.replaceState(null, "", address);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** Renders a path as the server does and hydrates it as a browser does. @returns React's hydration errors */
async function takeOver(path: string): Promise<readonly string[]> {
  const page = await render({
    url: path,
    publicUrl: "https://parlando.example",
    geoLocale: "es-419",
    localeCookie: undefined,
    userAgent: "",
    today,
  });
  if (!("html" in page)) throw new Error(`${path} redirects`);
  const served = new DOMParser().parseFromString(page.html, "text/html").getElementById(appRootId);
  const root = document.createElement("div");
  root.innerHTML = served?.innerHTML ?? "";
  document.body.append(root);
  history.replaceState(null, "", path);

  const match = matchPath(location.pathname);
  if (match.kind !== "page") throw new Error(`${path} is no page`);
  const compiled = match.route === "home" ? embedded : funnel;
  const answers = new URLSearchParams(location.search).get("a") ?? "";
  const rendered = renderedSnapshot(compiled, rendering, answers);
  // A known visitor, in another country and on another day than the shared page.
  const store = memoryStore();
  store.set(
    "questionnaireState",
    JSON.stringify({ ...rendered.state, schedule: 2, days: [0, 1, 3, 5], user: { firstname: "Lucía", email: "lucia.ramos@ejemplo.mx" } }),
  );
  const session = testSession(compiled, rendered, {
    store,
    now: () => new Date(),
    context: { ...rendering, country: "AR", platform: "android", today: "2026-11-21" },
  });
  const site = testSite({ session, client: { publicUrl: "https://parlando.example" } });
  const mended: string[] = [];
  const first = {
    path: location.pathname,
    route: match.route,
    params: match.params,
    page: await loadPage(site, match.route, match.params),
  };
  const hydrated = await act(async () =>
    hydrateRoot(root, <App site={site} first={first} />, { onRecoverableError: (error) => void mended.push(String(error)) }),
  );
  await act(async () => hydrated.unmount());
  return mended;
}

describe("taking over", () => {
  test.each(funnel.definition.questions.map(({ id }) => id))("question %i", async (id) => {
    expect(await takeOver(buildPath("questionnaire/question", "es-419", { version: "76", question: String(id) }))).toEqual([]);
  });

  test.each([
    "/es-latam/",
    "/es-latam/habla-ingles/",
    "/es-latam/habla-ingles/76/3/?a=2.1",
    buildPath("questionnaire/thank-you", "es-419", { version: "76" }),
    buildPath("questionnaire/verify-email", "es-419", { version: "76" }),
    buildPath("questionnaire/start-level-test", "es-419", { version: "76" }),
    buildPath("questionnaire/user", "es-419", { version: "76" }),
    buildPath("payment/failed", "es-419"),
  ])("%s", async (path) => {
    expect(await takeOver(path)).toEqual([]);
  });
});
