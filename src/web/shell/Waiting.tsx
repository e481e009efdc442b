import type { RouteName } from "#core/routes.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { useSite } from "../siteContext.tsx";
import { Footer } from "./Footer.tsx";
import { QuestionHeader } from "./QuestionHeader.tsx";
import styles from "./waiting.module.css";

/** Shown while the visitor is being sent to a questionnaire. `start` is a link for visitors without scripts. */
export function Waiting({ route, start }: { readonly route: RouteName; readonly start: string }) {
  const { t, bare, session } = useSite();
  return (
    <>
      {!bare && <QuestionHeader back={null} progress={null} />}
      <main id="main" tabIndex={-1} data-route={route} data-version={session.compiled.definition.id}>
        <div className={styles["wait"]}>
          <h1 className="sr">{t("page.raffle.title")}</h1>
          <Spinner large label={t("shell.loading")} />
          <noscript>
            <a href={start}>{t("question.continue")}</a>
          </noscript>
        </div>
      </main>
      <Footer />
    </>
  );
}
