/** Confirms that the link was sent, with a field for the mail's code for devices that cannot open the link (spec 001 §2). */
import * as codes from "#core/errorCodes.ts";
import type { Session as ServerSession } from "#core/api.ts";
import { buildPath } from "#core/routes.ts";
import { fieldError } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useState } from "react";
import styles from "../../../account/account.module.css";
import { goOn, leaveSignedIn, storeSession } from "../../../account/afterLogin.ts";
import { problemKey } from "../../../account/EmailScene.tsx";
import { ApiError } from "../../../api/request.ts";
import { SendAgain } from "../../../account/SendAgain.tsx";
import { useLinkMail } from "../sendLink.ts";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import { replacedSession } from "../../../device/storage.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

const digits = 6;

function View() {
  const site = useSite();
  const { t, rich, say, locale, services } = site;
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [entered, setEntered] = useState<ServerSession | null>(null);
  const email = useKnownAddress();
  const mail = useLinkMail();

  async function enter() {
    if (code.length !== digits || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      // A code works only once. If a later step fails, the retry reuses the session.
      const session = entered ?? (await services.api.call("token", { body: { email, code, ...replacedSession(services.store) } }));
      setEntered(session);
      await leaveSignedIn(site, session);
      storeSession(site, session);
      await goOn(site, session, { replace: true });
    } catch (error) {
      setProblem(
        error instanceof ApiError && error.status < 500 && error.code !== codes.tooMany ? t("error.1004") : say(problemKey(error)),
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <Scene
      route="login/link-sent"
      figure="phone"
      title={t("page.link-sent.title")}
      text={rich("page.link-sent.text", { EMAIL: email })}
      compact
    >
      <div className={styles["fields"]}>
        <Field
          label={t("page.link-sent.code")}
          hint={t("page.link-sent.hint")}
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          maxLength={20}
          value={code}
          onChange={(value) => {
            setCode(value.replaceAll(/\D/g, "").slice(0, digits));
            setProblem(null);
          }}
          onEnter={() => void enter()}
          error={problem ?? undefined}
        />
        <Button arrow busy={busy} disabled={code.length !== digits} onClick={() => void enter()}>
          {t("page.link-sent.go")}
        </Button>
        <div className={styles["ways"]}>
          {fieldError("email", email) === null && <SendAgain send={() => mail(email)} />}
          <Button kind="link" href={buildPath("login/link", locale)}>
            {t("page.link-sent.other")}
          </Button>
        </div>
      </div>
    </Scene>
  );
}

export const page: Page = { title: ({ t }) => t("page.link-sent.title"), description: ({ t }) => t("meta.login/link.description"), View };
