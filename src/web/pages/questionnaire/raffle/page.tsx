/** The start page: the server draws a version for this device, then its first question is shown (spec 001 §2). */
import { traitsOf } from "#content/questionnaires/known.ts";
import { sourceParameter } from "#core/links.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import { resumePoint } from "#core/questionnaire/saved.ts";
import type { State } from "#core/questionnaire/state.ts";
import { useEffect, useEffectEvent } from "react";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { buildPath } from "#core/routes.ts";
import { fetchConfig, knownVersion } from "../../../session/config.ts";
import { readState } from "../../../device/readState.ts";
import { Waiting } from "../../../shell/Waiting.tsx";
import { useSite } from "../../../siteContext.tsx";

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
    // The event names this page's version. Another version's page sends its own: else its visitors would count for both.
    if (version === defaultVersion) services.track({ eventType: "GetQuestionnaire", payload: {} });
    const root = buildPath("questionnaire/root", locale, { version });
    const here = { locale, version: defaultVersion };
    // The root of a version with its own site leads there, with the campaign's parameters.
    if (traitsOf(version).externalSite !== null) return goToPath(root + location.search, here, { replace: true });
    const stored = readState(services.store);
    const path =
      version === defaultVersion
        ? questionPath(locale, version, resumePoint(compiled, stored))
        : // That version's root with the stored answers leads to the visitor's current question.
          root + queryOf(stored, version);
    goToPath(path, here, { replace: true });
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

/** The answers that are stored for the version, and the source of the visit, which that page reports. */
function queryOf(stored: State | null, version: string): string {
  const answers = stored?.id === version ? encodeAnswers(stored) : "";
  const source = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => sourceParameter.test(name)));
  const query = [answers === "" ? "" : `a=${answers}`, String(source)].filter((part) => part !== "");
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/raffle.title"),
  description: ({ t }) => t("meta.questionnaire/raffle.description"),
  View,
};
