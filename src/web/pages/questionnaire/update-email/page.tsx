/** Another address for the account; it is unique, so it may be taken (spec 001 §2, §8). */
import { buildPath } from "#core/routes.ts";
import { EmailScene } from "../../../account/EmailScene.tsx";
import { ApiError } from "../../../api/client.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session, services } = useSite();
  const { state } = useSession();
  const version = session.compiled.definition.id;

  async function save(email: string) {
    const here = { locale, version };
    try {
      await services.api.call("updateEmail", { body: { email } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 1429 || error.status >= 500) throw error;
      if (error.code === 1002) return goToPath(buildPath("login/link", locale), here);
      // The address that was tried is kept, for the page that says whose it is.
      services.store.set("signupEmail", email);
      return goToPath(buildPath("questionnaire/email-exists", locale, { version }), here);
    }
    services.store.set("signupEmail", email);
    session.dispatch({ type: "setUser", user: { email } });
    goToPath(buildPath("questionnaire/verify-email", locale, { version }), here);
  }

  return (
    <EmailScene
      route="questionnaire/update-email"
      figure="phone"
      title={t("page.update-email.title")}
      text={t("page.update-email.text")}
      label={t("page.update-email.label")}
      go={t("page.update-email.go")}
      known={state.user.email ?? ""}
      send={save}
    />
  );
}

export const page: Page = { title: ({ t }) => t("page.update-email.title"), description: ({ t }) => t("page.update-email.text"), View };
