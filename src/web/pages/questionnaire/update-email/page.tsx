/**
 * Changes the account's address (spec 001 §2, §8). Addresses are unique, so it may be taken. If the old address is confirmed, the change
 * needs the password (decision 048), and the old address stays until the new one is confirmed.
 */
import * as codes from "#core/errorCodes.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import { useAddress } from "../../../account/address.ts";
import { EmailScene } from "../../../account/EmailScene.tsx";
import { ApiError } from "../../../api/request.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { goToPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, session, services } = useSite();
  const { state } = useSession();
  const address = useAddress();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const version = session.compiled.definition.id;
  const current = address?.email ?? state.user.email;
  const needsPassword = asked || (address?.needsPassword ?? false);

  /** Whether an error concerns the password. If so, shows it at that field. */
  function showsAtPassword(error: ApiError): boolean {
    const missing = error.code === codes.invalidInput && error.fields["password"] !== undefined;
    if (missing) setAsked(true);
    if (error.code === codes.wrongCredentials) setProblem(t("page.update-email.wrong"));
    else if (missing) setProblem(t("validator_required"));
    return missing || error.code === codes.wrongCredentials;
  }

  async function save(email: string) {
    const here = { locale, version };
    if (needsPassword && password === "") return setProblem(t("validator_required"));
    setProblem(null);
    const wasSignedIn = isSignedIn(services.store);
    try {
      const { pending } = await services.api.call("updateEmail", { body: { email, ...(password === "" ? {} : { password }) } });
      const known = pending ? current : email;
      if (known !== undefined) services.store.set("signupEmail", known);
      if (!pending) session.dispatch({ type: "setUser", user: { email } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === codes.tooMany || error.status >= 500) throw error;
      // The session turned out to be over, and the login is shown.
      if (wasSignedIn && !isSignedIn(services.store)) return;
      if (error.code === codes.invalidAccessToken) return goToPath(buildPath("login/link", locale), here);
      if (showsAtPassword(error)) return;
      if (error.fields["email"] === "validator_unchanged") throw error;
      // Stored for the next page, which names the address.
      services.store.set("signupEmail", email);
      return goToPath(buildPath("questionnaire/email-exists", locale, { version }), here);
    }
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
      known=""
      wrong={(email) => (email.toLowerCase() === current ? "validator_unchanged" : null)}
      send={save}
      proof={
        needsPassword
          ? {
              label: t("page.update-email.password"),
              hint: t("page.update-email.hint"),
              value: password,
              onChange: (value) => {
                setPassword(value);
                setProblem(null);
              },
              error: problem ?? undefined,
            }
          : undefined
      }
    >
      {needsPassword && (
        <Button kind="link" href={buildPath("login/link", locale)}>
          {t("page.recover-password.link")}
        </Button>
      )}
    </EmailScene>
  );
}

export const page: Page = { title: ({ t }) => t("page.update-email.title"), description: ({ t }) => t("page.update-email.text"), View };
