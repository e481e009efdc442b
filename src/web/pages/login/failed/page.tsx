/** Neither link nor mail could be sent (spec 001 §8, "Login-link send failure"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, locale, session } = useSite();
  const { state } = useSession();
  const email = useKnownAddress();
  const { id: version } = session.compiled.definition;
  return (
    <Scene
      route="login/failed"
      figure="think"
      title={t("email_error_title")}
      text={rich("email_error_body", { EMAIL: email })}
      action={
        <>
          <Button arrow href={buildPath("login/link", locale)}>
            {t("email_error_button1")}
          </Button>
          <Button kind="link" href={buildPath("questionnaire/question", locale, { version, question: String(state.currentQuestionId) })}>
            {t("email_error_button2")}
          </Button>
        </>
      }
    />
  );
}

export const page: Page = { title: ({ t }) => t("email_error_title"), description: ({ t }) => t("meta.login/link.description"), View };
