/** Starting over: who was here before is forgotten, and the questionnaire begins (spec 001 §2, "Home redirect screen"). */
import { buildPath } from "#core/routes.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { useEffect, useEffectEvent } from "react";
import { goToPath } from "../../navigation.ts";
import type { Page } from "../../page.ts";
import { fetchConfig } from "../../session/submit.ts";
import { QuestionHeader } from "../../shell/QuestionHeader.tsx";
import { useSite } from "../../siteContext.tsx";
import styles from "../questionnaire/raffle/raffle.module.css";

function View() {
  const { t, locale, bare, session, services } = useSite();
  const defaultVersion = session.compiled.definition.id;
  const start = buildPath("questionnaire/root", locale, { version: defaultVersion });

  const startOver = useEffectEvent(async (stopped: () => boolean) => {
    for (const key of ["questionnaireState", "signupName", "signupEmail"] as const) services.store.remove(key);
    // Without an answer the default version serves.
    const config = await fetchConfig(services.api, services.store, { locale }).catch(() => null);
    if (stopped()) return;
    // An AI version's root is answered with the AI site's address.
    goToPath(
      buildPath("questionnaire/root", locale, { version: config?.questionnaireVersion ?? defaultVersion }),
      { locale, version: "" },
      { replace: true },
    );
  });
  useEffect(() => {
    let gone = false;
    void startOver(() => gone);
    return () => {
      gone = true;
    };
  }, []);

  return (
    <>
      {!bare && <QuestionHeader back={null} progress={null} />}
      <main id="main" tabIndex={-1} data-route="home-redirect" data-version={defaultVersion}>
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
