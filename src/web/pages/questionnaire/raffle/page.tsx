/** The way in: a version is drawn for this device, and its first question shown (spec 001 §2). */
import { traitsOf } from "#content/questionnaires/traits.ts";
import { resumePoint } from "#core/questionnaire/saved.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { useEffect, useEffectEvent } from "react";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { buildPath } from "#core/routes.ts";
import { readState } from "../../../session/session.ts";
import { fetchConfig } from "../../../session/submit.ts";
import { QuestionHeader } from "../../../shell/QuestionHeader.tsx";
import { useSite } from "../../../siteContext.tsx";
import styles from "./raffle.module.css";

function View() {
  const { t, locale, bare, session, services } = useSite();
  const { compiled } = session;
  const defaultVersion = compiled.definition.id;
  const start = questionPath(locale, defaultVersion, compiled.definition.initialQuestion);

  const draw = useEffectEvent(async (stopped: () => boolean) => {
    // Without an answer the default version serves: nobody waits at the door.
    const config = await fetchConfig(services.api, services.store, { locale }).catch(() => null);
    if (stopped()) return;
    const version = config?.questionnaireVersion ?? defaultVersion;
    services.track({ eventType: "GetQuestionnaire", payload: {} });
    const { externalSite } = traitsOf(version);
    if (externalSite !== null) {
      location.replace(externalSite);
      return;
    }
    const stored = readState(services.store);
    const path =
      version === defaultVersion
        ? questionPath(locale, version, resumePoint(compiled, stored))
        : buildPath("questionnaire/root", locale, { version });
    goToPath(path, { locale, version: defaultVersion }, { replace: true });
  });
  useEffect(() => {
    let gone = false;
    void draw(() => gone);
    return () => {
      gone = true;
    };
  }, []);

  return (
    <>
      {!bare && <QuestionHeader back={null} progress={null} />}
      <main id="main" tabIndex={-1} data-route="questionnaire/raffle" data-version={defaultVersion}>
        <div className={styles["wait"]}>
          <h1 className="sr">{t("page.raffle.title")}</h1>
          <Spinner large label={t("shell.loading")} />
          <noscript>
            <a href={start}>{t("question.continue")}</a>
          </noscript>
        </div>
      </main>
    </>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/raffle.title"),
  description: ({ t }) => t("meta.questionnaire/raffle.description"),
  View,
};
