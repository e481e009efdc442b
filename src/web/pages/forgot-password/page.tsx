/** Sends a link to choose a new password (spec 001 §2, "Forgot-password"). */
import { targetIn } from "#core/links.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import styles from "../../account/account.module.css";
import { namedBackend } from "../../account/afterLogin.ts";
import { EmailScene } from "../../account/EmailScene.tsx";
import { type Mailed, SendAgain } from "../../account/SendAgain.tsx";
import { isSignedIn } from "../../device/storage.ts";
import { showFailure, useFailurePage } from "../login/failure.ts";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSession, useSite } from "../../siteContext.tsx";

function View() {
  const site = useSite();
  const { t, rich, services } = site;
  const { live } = useSession();
  useFailurePage("login/failed");
  const [sentTo, setSentTo] = useState<{ readonly email: string; readonly mailed: Mailed } | null>(null);

  async function mail(email: string): Promise<Mailed> {
    const target = targetIn(services.store.get("questionnaireTarget"));
    services.store.set("signupEmail", email);
    try {
      const query = target === null ? {} : { target: String(target) };
      const { many } = await services.api.call("forgotPassword", { body: { email }, query, at: namedBackend(site) });
      return many === true ? "many" : "sent";
    } catch (error) {
      showFailure(site, "login/failed", error);
      return "failed";
    }
  }
  async function send(email: string) {
    const mailed = await mail(email);
    if (mailed !== "failed") setSentTo({ email, mailed });
  }

  if (sentTo !== null)
    return (
      <Scene
        route="forgot-password"
        figure="phone"
        title={t("page.link-sent.title")}
        text={rich("page.forgot-password.sent", { EMAIL: sentTo.email })}
      >
        {sentTo.mailed === "many" && <p role="status">{t("page.link-sent.many")}</p>}
        <p>{t("page.verify-email.hint")}</p>
        <div className={styles["ways"]}>
          <SendAgain purpose="reset" send={() => mail(sentTo.email)} />
          <Button kind="link" onClick={() => setSentTo(null)}>
            {t("page.link-sent.other")}
          </Button>
        </div>
      </Scene>
    );
  return (
    <EmailScene
      route="forgot-password"
      figure="think"
      // A visitor who is signed in comes from the account page, to choose another password.
      title={t(live && isSignedIn(services.store) ? "page.recover-password.reset" : "page.forgot-password.title")}
      text={t("page.forgot-password.text")}
      go={t("page.login.go")}
      waits={false}
      send={send}
    />
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.forgot-password.title"),
  description: ({ t }) => t("meta.forgot-password.description"),
  View,
};
