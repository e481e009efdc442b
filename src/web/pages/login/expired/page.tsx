/** A login link that is used, expired or invalid (spec 001 §8, "Token exchange failure"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useFailure } from "../../../account/temporaryFailure.ts";
import { showPage } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, services } = useSite();
  const { problem, from } = useFailure();
  // After a temporary failure, the same link may work later.
  const again = problem !== null && services.arrival.has("token") ? from : null;
  return (
    <Scene
      route="login/expired"
      figure="shrug"
      title={t("login_link_expired_title")}
      text={t("login_link_expired_body")}
      action={
        <>
          <Button arrow href={buildPath("login/link", locale)}>
            {t("login_link_expired_button")}
          </Button>
          {again !== null && (
            <Button kind="link" onClick={() => showPage(again, { replace: true })}>
              {t("page.login-expired.again")}
            </Button>
          )}
        </>
      }
    >
      {again !== null && problem !== null && <p role="alert">{t(problem)}</p>}
    </Scene>
  );
}

export const page: Page = { title: ({ t }) => t("login_link_expired_title"), description: ({ t }) => t("login_link_expired_body"), View };
