/** The start page: the server draws a version for this device, then its first question is shown (spec 001 §2). */
import { resumePoint } from "#core/questionnaire/saved.ts";
import { useEffect, useEffectEvent } from "react";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { fetchConfig, knownVersion } from "../../../session/config.ts";
import { readState } from "../../../device/readState.ts";
import { Waiting } from "../../../shell/Waiting.tsx";
import { useSite } from "../../../siteContext.tsx";
import { versionRoot } from "../../versionRoot.ts";

function View() {
  const { locale, session, services } = useSite();
  const { compiled } = session;
  const defaultVersion = compiled.definition.id;
  const start = questionPath(locale, defaultVersion, compiled.definition.initialQuestion);

  const draw = useEffectEvent(async (stopped: () => boolean) => {
    // If the call fails, the default version is used, so that nobody has to wait.
    const config = await fetchConfig(services.api, services.store, { locale }).catch(() => null);
    if (stopped()) return;
    const version = knownVersion(config?.questionnaireVersion, locale);
    // The event names this page's version. If another version was drawn, that version's page sends the event, so that the visitor counts only once.
    if (version === defaultVersion) services.track({ eventType: "GetQuestionnaire", payload: {} });
    const stored = readState(services.store);
    const path =
      version === defaultVersion ? questionPath(locale, version, resumePoint(compiled, stored)) : versionRoot(locale, version, stored);
    goToPath(path, { locale, version: defaultVersion }, { replace: true });
  });
  useEffect(() => {
    let gone = false;
    void draw(() => gone);
    return () => {
      gone = true;
    };
  }, []);

  return <Waiting route="questionnaire/raffle" start={start} />;
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/raffle.title"),
  description: ({ t }) => t("meta.questionnaire/raffle.description"),
  View,
};
