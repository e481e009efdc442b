/** Login with a password (spec 001 §4, "Password login"). */
import * as codes from "#core/errorCodes.ts";
import { buildPath } from "#core/routes.ts";
import { fieldError } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useEffect, useState } from "react";
import { goOn, namedBackend, storeSession } from "../../../account/afterLogin.ts";
import { problemKey, showErrorAt } from "../../../account/EmailScene.tsx";
import { NeedsScript } from "../../../account/NeedsScript.tsx";
import { temporaryFailureOf } from "../../../account/temporaryFailure.ts";
import { useAddressQuestion } from "../../../account/version.ts";
import { InPlaceLink } from "../../../account/InPlaceLink.tsx";
import { repeating } from "../../../api/repeat.ts";
import { ApiError } from "../../../api/request.ts";
import { lastStep, sessionEnded, showPage, wrongPassword } from "../../../navigation.ts";
import { replacedSession } from "../../../device/storage.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import type { UiKey } from "#content/texts/ui.ts";
import styles from "../../../account/account.module.css";

const emailId = "user-email";
const passwordId = "user-password";

/** The two login fields and the login itself. */
function useLogin() {
  const site = useSite();
  const { t, say, locale, services } = site;
  const { live } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<UiKey | null>(null);

  // Stored values are filled in after hydration, because the server renders the same page for everybody.
  const { store } = services;
  useEffect(() => {
    if (live) setEmail((typed) => typed || (store.get("signupEmail") ?? ""));
  }, [live, store]);

  const errors = { email: fieldError("email", email), password: fieldError("password", password) };
  const valid = errors.email === null && errors.password === null;
  const told = (field: "email" | "password") => (left.has(field) && errors[field] !== null ? say(errors[field]) : undefined);
  const leave = (field: "email" | "password") => setLeft((fields) => new Set([...fields, field]));
  const recovery = buildPath("recover-password", locale);
  const keepAddress = () => errors.email === null && services.store.set("signupEmail", email.trim());
  async function logIn() {
    if (!valid) return showErrorAt(errors.email === null ? passwordId : emailId);
    if (busy) return;
    setBusy(true);
    setProblem(null);
    keepAddress();
    let loggedIn = false;
    try {
      const account = await repeating(services.api).call("login", {
        body: { email: email.trim(), password, ...replacedSession(services.store) },
        at: namedBackend(site),
      });
      storeSession(site, account);
      loggedIn = true;
      await goOn(site, account, { byPassword: true });
    } catch (error) {
      // A refused login leads to the password-recovery page (spec 001 §8). Other failures are shown here (decision 042).
      if (loggedIn || !(error instanceof ApiError) || temporaryFailureOf(error) !== null) setProblem(problemKey(error));
      else showPage(recovery, error.code === codes.wrongCredentials ? { problem: wrongPassword } : {});
    } finally {
      setBusy(false);
    }
  }

  return {
    email: { value: email, onChange: setEmail, onBlur: () => leave("email"), error: told("email") },
    password: {
      value: password,
      onChange(typed: string) {
        setPassword(typed);
        setProblem(null);
      },
      onBlur: () => leave("password"),
      error: problem === null ? told("password") : t(problem),
    },
    valid,
    busy,
    recovery,
    keepAddress,
    logIn: () => void logIn(),
  };
}

function View() {
  const { t, rich, say, locale, services } = useSite();
  const { live } = useSession();
  const { problem } = lastStep();
  const ended = live ? Object.values(sessionEnded).find((key) => key === problem) : undefined;
  const addressQuestion = useAddressQuestion();
  // Preloaded, because this page must also be shown offline.
  useEffect(() => void import("../../recover-password/page.tsx").catch(() => undefined), []);
  const { email, password, valid, busy, recovery, keepAddress, logIn } = useLogin();
  // The session may end after the form has reported the payment, but before the page that waits for the payment has loaded.
  const isPaying = ended === sessionEnded.provenElsewhere && services.store.get("paymentStatus") === "pending";
  const endedText = isPaying ? "page.user.endedPaid" : ended;
  const taken = addressQuestion === null ? null : services.store.get("signupEmail");
  return (
    <Scene
      route="questionnaire/user"
      figure="wave"
      title={t("page.user.title")}
      text={endedText !== undefined ? t(endedText) : taken === null ? t("page.user.text") : rich("page.user.taken", { EMAIL: taken })}
      compact
    >
      <NeedsScript />
      <div className={styles["fields"]}>
        <Field
          id={emailId}
          label={t("page.user.email")}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          {...email}
          onEnter={logIn}
        />
        <Field
          id={passwordId}
          label={t("page.user.password")}
          type="password"
          autoComplete="current-password"
          enterKeyHint="go"
          {...password}
          onEnter={logIn}
          toggle={{ show: say("block.signupPassword.show"), hide: say("block.signupPassword.hide") }}
        />
        <Button arrow busy={busy} disabled={!valid} onClick={logIn}>
          {t("page.user.go")}
        </Button>
        <div className={styles["ways"]}>
          {ended && (
            <InPlaceLink kind="secondary" href={buildPath("login/link", locale)} before={keepAddress}>
              {t("page.recover-password.link")}
            </InPlaceLink>
          )}
          {addressQuestion !== null && (
            <InPlaceLink kind="secondary" href={addressQuestion}>
              {t("page.email-exists.go")}
            </InPlaceLink>
          )}
          <InPlaceLink kind="link" href={recovery} before={keepAddress}>
            {t("page.user.forgot")}
          </InPlaceLink>
        </div>
      </div>
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/user.title"),
  description: ({ t }) => t("meta.questionnaire/user.description"),
  View,
};
