/** After a wrong password: the ways in (spec 001 §4, "A login failure goes to the password-recovery page"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import styles from "../../account/account.module.css";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSite } from "../../siteContext.tsx";

function View() {
  const { t, locale, session } = useSite();
  return (
    <Scene
      route="recover-password"
      figure="think"
      title={t("page.recover-password.title")}
      text={t("page.recover-password.text")}
      action={
        <Button arrow href={buildPath("login/link", locale)}>
          {t("page.recover-password.link")}
        </Button>
      }
    >
      <div className={styles["fields"]}>
        <div className={styles["ways"]}>
          <Button kind="secondary" href={buildPath("forgot-password", locale)}>
            {t("page.recover-password.reset")}
          </Button>
          <Button kind="link" href={buildPath("questionnaire/user", locale, { version: session.compiled.definition.id })}>
            {t("page.recover-password.again")}
          </Button>
        </div>
      </div>
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("page.recover-password.title"),
  description: ({ t }) => t("page.recover-password.text"),
  View,
};
