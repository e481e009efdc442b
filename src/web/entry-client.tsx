/** Takes over the page that the server rendered. */
import "@vitejs/plugin-react/preamble";
import { compile } from "#core/questionnaire/compile.ts";
import type { Text } from "#core/text.ts";
import { createRoot, hydrateRoot } from "react-dom/client";
import * as v from "valibot";
import { App, loadPage } from "./App.tsx";
import { startBrowser } from "./browser.ts";
import { leaveOlderBuild } from "./olderBuild.ts";
import { appRootId, pageDataId, pageDataSchema } from "./page.ts";
import { loadQuestionnaire } from "./questionnaireModule.ts";
import { renderedSnapshot } from "./session/session.ts";
import { FailedMessage } from "./shell/Failed.tsx";
import { webSite } from "./siteContext.tsx";

const textsModule = v.object({
  default: v.record(
    v.string(),
    v.custom<Text>((value) => typeof value === "string" || Array.isArray(value)),
  ),
});

async function loadTexts(url: string) {
  const module: unknown = await import(/* @vite-ignore */ url);
  return v.parse(textsModule, module).default;
}

async function start(): Promise<void> {
  const root = document.getElementById(appRootId);
  const data = v.parse(v.pipe(v.string(), v.parseJson(), pageDataSchema), document.getElementById(pageDataId)?.textContent);
  if (root === null) throw new Error("The page has no root");
  const [questionnaire, texts] = await Promise.all([loadQuestionnaire(data.questionnaireUrl), loadTexts(data.textsUrl)]);
  const { locale, today, bare, client, path, route, params } = data;
  const compiled = compile(questionnaire);
  const rendered = renderedSnapshot(
    compiled,
    { locale, country: "MX", platform: "other", requiresMarketingConsent: false, today },
    data.answers,
  );
  const { session, services, afterHydration, watch } = startBrowser(compiled, rendered, client);
  const site = webSite({ locale, texts, loadMoreTexts: () => loadTexts(data.moreTextsUrl), session, services, client, bare });
  const page = await loadPage(site, route, params).catch(async (error: unknown) => {
    // Asked for anew once; a page that cannot come to life after that says so, and does not stand there with dead buttons.
    if ((await leaveOlderBuild()) === "tried") {
      createRoot(root).render(<FailedMessage t={site.t} />);
      void watch(site);
    }
    throw error;
  });
  hydrateRoot(root, <App site={site} first={{ path, route, params, page }} onHydrated={() => afterHydration(site)} />, {
    onRecoverableError: (error) => services.report(error),
  });
}

await start();
