/** Login by a mailed link (spec 001 §2, "login/link"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import styles from "../../../account/account.module.css";
import { EmailScene } from "../../../account/EmailScene.tsx";
import { useSendLink } from "../sendLink.ts";
import { useOwnVersion, useSignupStart } from "../../../account/version.ts";
import type { Page } from "../../../page.ts";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale } = useSite();
  const send = useSendLink();
  const version = useOwnVersion();
  const start = useSignupStart();
  return (
    <EmailScene
      route="login/link"
      figure="wave"
      title={t("page.login.title")}
      text={t("page.login.text")}
      go={t("page.login.go")}
      send={send}
    >
      {(keepAddress) => (
        <>
          <p className={styles["or"]}>{t("page.login.or")}</p>
          <div className={styles["ways"]}>
            <Button kind="secondary" href={start}>
              {t("page.login.create")}
            </Button>
            <Button kind="link" href={buildPath("questionnaire/user", locale, { version })} onClick={keepAddress}>
              {t("page.login.password")}
            </Button>
          </div>
        </>
      )}
    </EmailScene>
  );
}

export const page: Page = { title: ({ t }) => t("meta.login/link.title"), description: ({ t }) => t("meta.login/link.description"), View };
