/** Ways to log in after a wrong or forgotten password (spec 001 §4, "A login failure goes to the password-recovery page"). */
import { buildPath, matchPath } from "#core/routes.ts";
import { fieldError } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { type MouseEvent, useState } from "react";
import styles from "../../account/account.module.css";
import { useKnownAddress } from "../../account/knownAddress.ts";
import { useSendLink } from "../login/sendLink.ts";
import { useOwnVersion } from "../../account/version.ts";
import { InPlaceLink } from "../../account/InPlaceLink.tsx";
import { isPlainClick } from "../../clicks.ts";
import { lastStep, wrongPassword } from "../../navigation.ts";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSession, useSite } from "../../siteContext.tsx";

function View() {
  const { t, rich, locale } = useSite();
  const { live } = useSession();
  const email = useKnownAddress();
  const version = useOwnVersion();
  const wrong = live && lastStep().problem === wrongPassword;
  const login = (live && loginBefore()) || buildPath("questionnaire/user", locale, { version });
  const again = (
    <InPlaceLink href={login} kind={wrong ? "primary" : "link"}>
      {t(wrong ? "page.recover-password.again" : "page.login.password")}
    </InPlaceLink>
  );
  return (
    <Scene
      route="recover-password"
      figure="think"
      compact
      title={t(wrong ? "page.recover-password.title" : "page.forgot-password.title")}
      text={rich(wrong ? "page.recover-password.wrong" : "page.recover-password.text", { EMAIL: email })}
    >
      <div className={classes(styles["fields"], styles["ways"])}>
        {wrong && again}
        <SendLink email={email} quiet={wrong} />
        <Button kind="secondary" href={buildPath("forgot-password", locale)}>
          {t("page.recover-password.reset")}
        </Button>
        {!wrong && again}
      </div>
    </Scene>
  );
}

/** Sends the link with one tap if the address is known. Otherwise leads to the page that asks for it. */
function SendLink({ email, quiet }: { readonly email: string; readonly quiet: boolean }) {
  const { t, locale } = useSite();
  const send = useSendLink();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      kind={quiet ? "secondary" : "primary"}
      busy={busy}
      href={buildPath("login/link", locale)}
      onClick={(click: MouseEvent) => {
        if (!isPlainClick(click) || fieldError("email", email) !== null) return;
        click.preventDefault();
        if (busy) return;
        setBusy(true);
        void send(email).finally(() => setBusy(false));
      }}
    >
      {t("page.recover-password.send")}
    </Button>
  );
}

/** The path of the login page that led here, of any version; null if another page did. */
function loginBefore(): string | null {
  const { from } = lastStep();
  const match = from === null ? null : matchPath(from);
  return match?.kind === "page" && match.route === "questionnaire/user" ? from : null;
}

export const page: Page = {
  title: ({ t }) => t("page.forgot-password.title"),
  description: ({ t }) => t("meta.forgot-password.description"),
  View,
};
