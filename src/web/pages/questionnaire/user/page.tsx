/** Login with the password of an account that exists (spec 001 §4, "Password login"). */
import { mergeState, parseSavedState, resumePoint, savedState } from "#core/questionnaire/saved.ts";
import { buildPath, isPageRoute } from "#core/routes.ts";
import { fieldError } from "#core/validation.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { useEffect, useState } from "react";
import { ApiError } from "../../../api/client.ts";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { readState } from "../../../session/session.ts";
import { saveTokens } from "../../../session/storage.ts";
import { problemOf } from "../../../session/submit.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import type { UiKey } from "#content/texts/ui.ts";
import styles from "./user.module.css";

function View() {
  const { t, say, locale, session, services } = useSite();
  const { live } = useSession();
  const { compiled } = session;
  const version = compiled.definition.id;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<UiKey | null>(null);

  // What the device remembers comes after hydration: the page is the same for everybody.
  const { store } = services;
  useEffect(() => {
    if (live) setEmail((typed) => typed || (store.get("signupEmail") ?? ""));
  }, [live, store]);

  const valid = fieldError("email", email) === null && password !== "";
  async function logIn() {
    if (!valid || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const account = await services.api.call("login", { body: { email: email.trim(), password } });
      saveTokens(services.store, account);
      services.store.set("signupEmail", email.trim());
      const { state } = await services.api.call("questionnaireGet", { query: { uuid: account.user.uuid } });
      const user = {
        uuid: account.user.uuid,
        email: account.user.email,
        ...(account.user.firstname ? { firstname: account.user.firstname } : {}),
      };
      const saved = parseSavedState(state);
      if (account.features.questionnaire.entitlementExists) {
        // Who has a plan manages it; until that page is there, the app is where it goes on.
        const path = isPageRoute("handle-your-subscription")
          ? buildPath("handle-your-subscription", locale)
          : buildPath("questionnaire/start-level-test", locale, { version });
        session.adopt({ ...(saved ?? session.snapshot().state), signupDone: true, user });
        goToPath(path, { locale, version });
        return;
      }
      if (saved !== null && saved.id !== version) {
        // Saved in another version: that one takes it up, from its own page.
        services.store.set("questionnaireState", JSON.stringify(savedState({ ...saved, signupDone: true, user })));
        goToPath(questionPath(locale, saved.id, saved.currentQuestionId), { locale, version });
        return;
      }
      const next = { ...mergeState(compiled, saved ?? readState(services.store) ?? session.snapshot().state), signupDone: true, user };
      session.adopt(next);
      goToPath(questionPath(locale, version, resumePoint(compiled, next)), { locale, version });
    } catch (error) {
      if (error instanceof ApiError && error.code === 1001) setProblem("error.1001");
      else setProblem(`problem.${problemOf(error)}`);
    } finally {
      setBusy(false);
    }
  }

  const emailError = left.has("email") && email !== "" ? fieldError("email", email) : null;
  return (
    <Scene
      route="questionnaire/user"
      questionId={1011}
      figure="wave"
      title={t("page.user.title")}
      text={t("page.user.text")}
      action={
        <>
          <Button arrow busy={busy} disabled={!valid} onClick={() => void logIn()}>
            {t("page.user.go")}
          </Button>
          {isPageRoute("recover-password") && (
            <Button kind="link" href={buildPath("recover-password", locale)}>
              {t("page.user.forgot")}
            </Button>
          )}
        </>
      }
    >
      <div className={styles["fields"]}>
        <Field
          label={t("page.user.email")}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          value={email}
          onChange={setEmail}
          onBlur={() => setLeft((fields) => new Set([...fields, "email"]))}
          onEnter={() => void logIn()}
          error={emailError === null ? undefined : say(emailError)}
        />
        <Field
          label={t("page.user.password")}
          type="password"
          autoComplete="current-password"
          enterKeyHint="go"
          value={password}
          onChange={(value) => {
            setPassword(value);
            setProblem(null);
          }}
          onEnter={() => void logIn()}
          toggle={{ show: say("block.signupPassword.show"), hide: say("block.signupPassword.hide") }}
          error={problem === null ? undefined : t(problem)}
        />
      </div>
    </Scene>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/user.title"),
  description: ({ t }) => t("meta.questionnaire/user.description"),
  View,
};
