/** Starting over: clears the previous visitor's data and begins the questionnaire (spec 001 §2, "Home redirect screen"). */
import { buildPath } from "#core/routes.ts";
import { useEffect, useEffectEvent } from "react";
import { startOver } from "../../shell/logOut.ts";
import { goToPath } from "../../navigation.ts";
import type { Page } from "../../page.ts";
import { fetchConfig, knownVersion } from "../../session/config.ts";
import { Waiting } from "../../shell/Waiting.tsx";
import { useSite } from "../../siteContext.tsx";
import { versionRoot } from "../versionRoot.ts";

function View() {
  const site = useSite();
  const { locale, session, services } = site;
  const defaultVersion = session.compiled.definition.id;
  const start = buildPath("questionnaire/root", locale, { version: defaultVersion });

  const begin = useEffectEvent(async (stopped: () => boolean) => {
    await startOver(site);
    // If the call fails, the default version is used.
    const config = await fetchConfig(services.api, services.store, { locale }).catch(() => null);
    if (stopped()) return;
    const root = versionRoot(locale, knownVersion(config?.questionnaireVersion, locale), null);
    goToPath(root, { locale, version: "" }, { replace: true });
  });
  useEffect(() => {
    let gone = false;
    void begin(() => gone);
    return () => {
      gone = true;
    };
  }, []);

  return <Waiting route="home-redirect" start={start} />;
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/raffle.title"),
  description: ({ t }) => t("meta.questionnaire/raffle.description"),
  View,
};
