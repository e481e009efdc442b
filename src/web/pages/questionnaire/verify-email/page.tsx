import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import styles from "../../../account/account.module.css";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { AfterPayingList } from "../../../account/AfterPayingList.tsx";
import { problemKey } from "../../../account/EmailScene.tsx";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, say, locale, session, services } = useSite();
  const { state, live } = useSession();
  const version = session.compiled.definition.id;
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [told, setTold] = useState("");
  const at = useAfterPaying();
  const { address } = at;
  const confirmed = at.confirmed === true;
  // The new address that awaits confirmation. The account keeps its old one until then.
  const pending = address?.pending ?? null;
  const email = pending ?? address?.email ?? state.user.email;

  async function sendAgain(to: string) {
    setSending(true);
    try {
      // The address is unchanged, so this only sends the mail again.
      await services.api.call("updateEmail", { body: { email: to } });
      setSent(true);
      setTold(t("page.verify-email.resent"));
    } catch (error) {
      setTold(say(problemKey(error)));
    } finally {
      setSending(false);
    }
  }
  return (
    <Scene
      route="questionnaire/verify-email"
      figure="phone"
      compact
      title={t(confirmed ? "page.verify-email.confirmedTitle" : "page.verify-email.title")}
      text={
        confirmed ? (
          rich("page.verify-email.confirmed", { EMAIL: email ?? "" })
        ) : (
          <>
            {email === undefined ? t("page.verify-email.plain") : rich("page.verify-email.text", { EMAIL: email })}
            {address !== null && pending !== null ? (
              <> {rich("page.verify-email.pending", { EMAIL: address.email })}</>
            ) : (
              <> {t("page.verify-email.here")}</>
            )}
          </>
        )
      }
      action={
        <>
          <Button arrow href={buildPath("questionnaire/congratulations", locale, { version })}>
            {t(confirmed ? "page.verify-email.goConfirmed" : "page.verify-email.go")}
          </Button>
          <Button kind="link" href={buildPath("questionnaire/update-email", locale, { version })}>
            {t("page.verify-email.change")}
          </Button>
        </>
      }
    >
      {!confirmed && <p>{t("page.verify-email.hint")}</p>}
      {!confirmed && live && email !== undefined && isSignedIn(services.store) && (
        <div className={styles["again"]}>
          {!sent && (
            <Button kind="link" busy={sending} onClick={() => void sendAgain(email)}>
              {t("page.verify-email.resend")}
            </Button>
          )}
          <p role="status">{told}</p>
        </div>
      )}
      <AfterPayingList at={at} short />
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/verify-email.title"),
  description: ({ t }) => t("meta.questionnaire/verify-email.description"),
  View,
};
