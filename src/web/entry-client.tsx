/** Takes over the page that the server rendered. */
import "@vitejs/plugin-react/preamble";
import { compile } from "#core/questionnaire/compile.ts";
import { plainText, type Text } from "#core/text.ts";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, loadPage } from "./App.tsx";
import { startBrowser } from "./browser.ts";
import { deviceStore } from "./device/storage.ts";
import { stylesOnTheirWay } from "./laterStyles.ts";
import { leaveOlderBuild } from "./olderBuild.ts";
import { appRootId, pageDataIn } from "./page.ts";
import { pages } from "./pages.ts";
import { loadLaterContents, loadQuestionnaire } from "./questionnaireModule.ts";
import { ownReleaseAddress } from "./session/ownRelease.ts";
import { renderedSnapshot } from "./session/session.ts";
import { FailedMessage } from "./shell/Failed.tsx";
import { type WebSite, webSite } from "./siteContext.tsx";

/** A module that the build made of a locale's texts. */
async function loadTexts(url: string): Promise<Readonly<Record<string, Text>>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `build/contentModules.ts` writes it
  const module = (await import(/* @vite-ignore */ url)) as { readonly default: Readonly<Record<string, Text>> };
  return module.default;
}

/** A module that does not come is asked for with the page anew, once. After that the page says that it failed, and does not stand there with dead buttons. */
function orAnew<T>(module: Promise<T>, sayFailed: () => unknown): Promise<T> {
  return module.catch(async (error: unknown) => {
    if ((await leaveOlderBuild()) === "tried") await sayFailed();
    throw error;
  });
}

/** Resolves when no first answer is on its way to its question (`firstAnswer.ts`); from then on taps are React's. */
async function takeTaps(): Promise<void> {
  const { dataset } = document.documentElement;
  if (dataset["change"] === "leaving") await new Promise((resolve) => addEventListener("changed", resolve, { once: true }));
  dataset["change"] = "taken";
}

async function start(): Promise<void> {
  const root = document.getElementById(appRootId);
  const served = pageDataIn(document);
  if (root === null) throw new Error("The page has no root");
  const words = loadTexts(served.textsUrl);
  const pageModule = Promise.allSettled([pages[served.route]()]);
  const showFailed = (t: WebSite["t"]) => createRoot(root).render(<FailedMessage t={t} />);
  const [questionnaire, texts] = await orAnew(Promise.all([loadQuestionnaire(served.questionnaireUrl), words]), async () => {
    const said = await words;
    showFailed((key) => plainText(said[key] ?? key, {}, served.locale));
  });
  await pageModule;
  // React shows at once what this visitor has besides the served page, which may need any rule of them.
  await stylesOnTheirWay().catch(() => undefined);
  await takeTaps();
  const data = pageDataIn(document);
  const { locale, today, bare, client, path, route, params, release } = data;
  const compiled = compile(questionnaire);
  const rendered = renderedSnapshot(
    compiled,
    { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today },
    data.answers,
  );
  const ownRelease = ownReleaseAddress(
    { compiled, release, rendered },
    deviceStore(() => localStorage),
    new URL(location.href),
  );
  if (ownRelease !== null) return location.replace(ownRelease);
  const { session, services, afterHydration, watch } = startBrowser(compiled, rendered, client, release);
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
  const page = await orAnew(loadPage(site, route, params), () => {
    showFailed(site.t);
    void watch(site);
  });
  hydrateRoot(root, <App site={site} first={{ path, route, params, page }} onHydrated={() => afterHydration(site)} />, {
    onRecoverableError: (error) => services.report(error),
  });
}

await start();
