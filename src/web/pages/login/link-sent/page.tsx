/** Confirms that the link was sent, with a field for the mail's code for devices that cannot open the link (spec 001 §2). */
import type { Session as ServerSession } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { fieldError } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import styles from "../../../account/account.module.css";
import { goOn, leaveSignedIn, namedBackend, storeSession } from "../../../account/afterLogin.ts";
import { CodeForm } from "../../../account/CodeForm.tsx";
import { SendAgain } from "../../../account/SendAgain.tsx";
import { useLinkMail } from "../sendLink.ts";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import { replacedSession } from "../../../device/storage.ts";
import { lastStep } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

/** So many links were asked for that perhaps none went out. */
const many = "page.link-sent.many";

function View() {
  const site = useSite();
  const { t, rich, locale, services } = site;
  const [entered, setEntered] = useState<ServerSession | null>(null);
  const { live } = useSession();
  const email = useKnownAddress();
  const mail = useLinkMail();
  // A new mail has a new code: what was said about the old one no longer holds.
  const [mails, setMails] = useState(0);

  async function enter(code: string) {
    // A code works only once. If a later step fails, the retry reuses the session.
    const body = { email, code, ...replacedSession(services.store) };
    const session = entered ?? (await services.api.call("token", { body, at: namedBackend(site) }));
    setEntered(session);
    await leaveSignedIn(site, session);
    storeSession(site, session);
    await goOn(site, session, { replace: true });
  }

  async function mailAgain() {
    const mailed = await mail(email);
    if (mailed === "sent") setMails((sent) => sent + 1);
    return mailed;
  }

  return (
    <Scene
      route="login/link-sent"
      figure="phone"
      title={t("page.link-sent.title")}
      text={rich("page.link-sent.text", { EMAIL: email })}
      compact
    >
      {live && lastStep().problem === many && <p role="status">{t(many)}</p>}
      <div className={styles["fields"]}>
        <CodeForm key={mails} hint={t("page.link-sent.hint")} go={t("page.link-sent.go")} send={enter} />
        <div className={styles["ways"]}>
          {fieldError("email", email) === null && <SendAgain purpose="login" send={mailAgain} />}
          <Button kind="link" href={buildPath("login/link", locale)}>
            {t("page.link-sent.other")}
          </Button>
        </div>
      </div>
    </Scene>
  );
}

export const page: Page = { title: ({ t }) => t("page.link-sent.title"), description: ({ t }) => t("meta.login/link.description"), View };
