/** The browser's entry: hydrates the page that the server rendered. */
import "@vitejs/plugin-react/preamble";
import { compile } from "#core/questionnaire/compile.ts";
import { learnPaths } from "#core/routes.ts";
import { plainText } from "#core/text.ts";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, loadPage } from "./App.tsx";
import { startBrowser } from "./browser.ts";
import type { TextsModule } from "./build/contentSource.ts";
import { deviceStore } from "./device/storage.ts";
import { pendingStyles } from "./laterStyles.ts";
import { reloadForNewBuild } from "./newBuild.ts";
import { appRootId, pageDataIn } from "./page.ts";
import { loadPageModule } from "./pages.ts";
import { loadLaterContents, loadQuestionnaire } from "./questionnaireModule.ts";
import { renderedSnapshot } from "./session/session.ts";
import { FailedMessage } from "./shell/Failed.tsx";
import { type WebSite, webSite } from "./siteContext.tsx";

/** Imports a module with a locale's texts, and learns its paths. The build generates it. */
async function loadTexts(url: string): Promise<TextsModule["texts"]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `build/contentModules.ts` writes it
  const { default: module } = (await import(/* @vite-ignore */ url)) as { readonly default: TextsModule };
  learnPaths(module.paths);
  return module.texts;
}

/** Reloads the page once when a module does not load. If it fails again, the page shows an error instead of dead buttons. */
function orReload<T>(module: Promise<T>, showError: () => unknown): Promise<T> {
  return module.catch(async (error: unknown) => {
    if ((await reloadForNewBuild()) === "reloadedBefore") await showError();
    throw error;
  });
}

/** Waits until `firstAnswer.ts` has finished a running change of questions. From then on React handles taps. */
async function takeOverTaps(): Promise<void> {
  const { dataset } = document.documentElement;
  if (dataset["change"] === "leaving") await new Promise((resolve) => addEventListener("changed", resolve, { once: true }));
  dataset["change"] = "taken";
}

async function start(): Promise<void> {
  const root = document.getElementById(appRootId);
  const served = pageDataIn(document);
  if (root === null) throw new Error("The page has no root");
  const textsLoading = loadTexts(served.textsUrl);
  const pageModule = Promise.allSettled([loadPageModule(served.route)]);
  const showFailed = (t: WebSite["t"]) => createRoot(root).render(<FailedMessage t={t} />);
  const store = deviceStore(() => localStorage);
  const returningLoading = store.get("questionnaireState") === null ? null : import("./session/returning.ts");
  const loading = Promise.all([loadQuestionnaire(served.questionnaireUrl), textsLoading, returningLoading]);
  const [questionnaire, texts, returning] = await orReload(loading, async () => {
    const said = await textsLoading;
    showFailed((key) => plainText(said[key] ?? key, {}, served.locale));
  });
  await pageModule;
  // React's first render adds this visitor's own data to the served page, which may need any style rule.
  await pendingStyles().catch(() => undefined);
  await takeOverTaps();
  const data = pageDataIn(document);
  const { locale, today, bare, client, path, route, params, release } = data;
  const compiled = compile(questionnaire);
  const rendered = renderedSnapshot(
    compiled,
    { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today },
    data.answers,
  );
  const stored = returning?.readState(store) ?? null;
  const address = new URL(location.href);
  const other = returning?.otherAddress({ compiled, release, rendered }, stored, store, address) ?? null;
  if (other !== null) return location.replace(other);
  const laterAnswers = returning?.laterAnswers({ compiled, rendered }, stored, store, address) ?? [];
  const { session, services, afterHydration, loadAnalytics } = startBrowser({ compiled, rendered, client, release, stored, laterAnswers });
  const loadMoreTexts = () => loadTexts(data.moreTextsUrl);
  const site = webSite({
    locale,
    texts,
    loadMoreTexts,
    loadLaterContents: () => loadLaterContents(data.laterContentsUrl),
    session,
    services,
    client,
    bare,
  });
  const page = await orReload(loadPage(site, route, params), () => {
    showFailed(site.t);
    void loadAnalytics(site);
  });
  const onHydrated = () => {
    void afterHydration(site, path);
    dispatchEvent(new Event("hydrated"));
  };
  dispatchEvent(new Event("hydrating"));
  hydrateRoot(root, <App site={site} first={{ path, route, params, page }} onHydrated={onHydrated} />, {
    onRecoverableError: (error) => services.report(error),
  });
}

await start();
