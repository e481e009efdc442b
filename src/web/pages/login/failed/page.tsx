/** The login link could not be sent (spec 001 §8, "Login-link send failure"). */
import { buildPath, matchPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useFailure } from "../../../account/temporaryFailure.ts";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import { useOwnQuestion } from "../../../account/version.ts";
import { isPlainClick } from "../../../clicks.ts";
import { showPage } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, locale } = useSite();
  const questions = useOwnQuestion();
  const email = useKnownAddress();
  const { problem, from } = useFailure();
  const retry = forgotPasswordPath(from) ?? buildPath("login/link", locale);
  return (
    <Scene
      route="login/failed"
      figure="think"
      title={t("email_error_title")}
      text={rich("email_error_body", { EMAIL: email })}
      action={
        <>
          <Button
            arrow
            href={retry}
            onClick={(click) => {
              if (!isPlainClick(click)) return;
              // In place, so that it works offline and keeps the typed address.
              click.preventDefault();
              showPage(retry);
            }}
          >
            {t("email_error_button1")}
          </Button>
          <Button kind="link" href={questions}>
            {t("email_error_button2")}
          </Button>
        </>
      }
    >
      {problem !== null && problem !== "problem.unexpected" && <p role="alert">{t(problem)}</p>}
    </Scene>
  );
}

/** The path of the page before, if it is the one for a forgotten password: its mail is requested again there. Else null. */
function forgotPasswordPath(from: string | null): string | null {
  const match = from === null ? null : matchPath(from);
  return match?.kind === "page" && match.route === "forgot-password" ? from : null;
}

export const page: Page = { title: ({ t }) => t("email_error_title"), description: ({ t }) => t("meta.login/link.description"), View };
