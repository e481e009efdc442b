import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useState } from "react";
import styles from "../../../account/account.module.css";
import { useAfterPaying } from "../../../account/afterPaying.ts";
import { AfterPayingList } from "../../../account/AfterPayingList.tsx";
import { CodeForm } from "../../../account/CodeForm.tsx";
import { problemKey } from "../../../account/EmailScene.tsx";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, rich, services } = useSite();
  const { state, live } = useSession();
  const at = useAfterPaying();
  const { address, signedOut } = at;
  // Confirmed by its code, on this page.
  const [typed, setTyped] = useState(false);
  const [code, setCode] = useState("");
  const confirmed = typed || at.confirmed === true;
  // The new address that awaits confirmation. The account keeps its old one until then.
  const pending = address?.pending ?? null;
  const email = pending ?? address?.email ?? state.user.email;

  const waits = !confirmed && live && isSignedIn(services.store);
  // The code is only for a device that the account knows, and not for a change of a confirmed address (decision 224).
  const takesCode = waits && address?.needsPassword !== true && pending === null;
  useEffect(() => {
    if (typed) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [typed]);

  // A new mail has a new code: what was said about the old one no longer holds.
  const [mails, setMails] = useState(0);
  function sentAgain() {
    setMails((sent) => sent + 1);
    setCode("");
  }

  async function confirmBy(entered: string) {
    await services.api.call("confirmByCode", { body: { code: entered } });
    setTyped(true);
  }
  return (
    <Scene
      route="questionnaire/verify-email"
      figure="phone"
      compact
      title={t(signedOut ? "page.login.title" : confirmed ? "page.verify-email.confirmedTitle" : "page.verify-email.title")}
      text={
        signedOut ? (
          t("page.user.over")
        ) : confirmed ? (
          rich("page.verify-email.confirmed", { EMAIL: email ?? "" })
        ) : (
          <>
            {email === undefined ? rich("page.verify-email.plain") : rich("page.verify-email.text", { EMAIL: email })}
            {address !== null && pending !== null ? (
              <> {rich("page.verify-email.pending", { EMAIL: address.email })}</>
            ) : (
              takesCode && <> {t("page.verify-email.here")}</>
            )}
          </>
        )
      }
      // A bar would cover the code's button, and lead on without the code.
      actionLast={takesCode && code !== ""}
      action={<Ways confirmed={confirmed} signedOut={signedOut} />}
    >
      {takesCode && (
        <div className={styles["fields"]}>
          <CodeForm key={mails} second go={t("page.verify-email.code")} onCode={setCode} send={confirmBy} />
        </div>
      )}
      {!confirmed && !signedOut && <p className={styles["hint"]}>{t("page.verify-email.hint")}</p>}
      {waits && email !== undefined && <Again email={email} onSent={sentAgain} />}
      <AfterPayingList at={{ ...at, confirmed: confirmed || at.confirmed }} short />
    </Scene>
  );
}

/** The way on, to another address, and to the login when the session is over. */
function Ways({ confirmed, signedOut }: { readonly confirmed: boolean; readonly signedOut: boolean }) {
  const { t, locale, session } = useSite();
  const version = session.compiled.definition.id;
  return (
    <>
      {signedOut && <Button href={buildPath("questionnaire/user", locale, { version })}>{t("shell.nav.login")}</Button>}
      <Button
        arrow={!signedOut}
        kind={signedOut ? "link" : "primary"}
        href={buildPath("questionnaire/congratulations", locale, { version })}
      >
        {t(confirmed ? "page.verify-email.goConfirmed" : "page.verify-email.go")}
      </Button>
      <Button kind="link" href={buildPath("questionnaire/update-email", locale, { version })}>
        {t("page.verify-email.change")}
      </Button>
    </>
  );
}

/** Sends the mail again, once. */
function Again({ email, onSent }: { readonly email: string; readonly onSent: () => void }) {
  const { t, say, services } = useSite();
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [told, setTold] = useState("");

  async function send() {
    setSending(true);
    try {
      // The address is unchanged, so this only sends the mail again.
      await services.api.call("updateEmail", { body: { email } });
      setSent(true);
      onSent();
      setTold(t("page.verify-email.resent"));
    } catch (error) {
      setTold(say(problemKey(error)));
    } finally {
      setSending(false);
    }
  }
  return (
    <div className={styles["again"]}>
      {!sent && (
        <Button kind="link" busy={sending} onClick={() => void send()}>
          {t("page.verify-email.resend")}
        </Button>
      )}
      <p role="status">{told}</p>
    </div>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/verify-email.title"),
  description: ({ t }) => t("meta.questionnaire/verify-email.description"),
  View,
};
