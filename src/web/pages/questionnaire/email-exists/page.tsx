/** The new address already belongs to another account (spec 001 §2, "Email-exists"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, locale, session } = useSite();
  const version = session.compiled.definition.id;
  const email = useKnownAddress();
  return (
    <Scene
      route="questionnaire/email-exists"
      figure="shy"
      title={t("page.email-exists.title")}
      text={rich("page.email-exists.text", { EMAIL: email })}
      action={
        <>
          <Button arrow href={buildPath("questionnaire/update-email", locale, { version })}>
            {t("page.email-exists.go")}
          </Button>
          <Button kind="link" href={buildPath("login/link", locale)}>
            {t("page.email-exists.login")}
          </Button>
        </>
      }
    />
  );
}

export const page: Page = { title: ({ t }) => t("page.email-exists.title"), description: ({ t }) => t("page.update-email.text"), View };
