/** Sign-up failed because the account exists. A login link opens it without the password (spec 001 §4, "Submit flow", 3). */
import { EmailScene } from "../../../account/EmailScene.tsx";
import { useSendLink } from "../sendLink.ts";
import { useAddressQuestion } from "../../../account/version.ts";
import { InPlaceLink } from "../../../account/InPlaceLink.tsx";
import type { Page } from "../../../page.ts";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t } = useSite();
  const { state } = useSession();
  const send = useSendLink();
  const addressQuestion = useAddressQuestion();
  return (
    <EmailScene
      route="login/account-exists"
      figure="shy"
      title={t("page.account-exists.title")}
      text={t("page.account-exists.text")}
      go={t("page.login.go")}
      known={state.user.email}
      send={send}
    >
      {addressQuestion !== null && (
        <InPlaceLink kind="secondary" href={addressQuestion}>
          {t("page.email-exists.go")}
        </InPlaceLink>
      )}
    </EmailScene>
  );
}

export const page: Page = { title: ({ t }) => t("page.account-exists.title"), description: ({ t }) => t("page.account-exists.text"), View };
