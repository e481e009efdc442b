import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { InPlaceLink } from "../../../account/InPlaceLink.tsx";
import { questionPath } from "../../../navigation.ts";
import { signUpAnew } from "../../../shell/logOut.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import styles from "./question.module.css";

/**
 * Replaces plans and payment for a visitor without a session (link opened elsewhere, session ended): links to login and sign-up. The login leads back
 * to this question, not to the saved one: the plan's mail is asked for on the screen after it.
 */
export function WithoutAccount({ questionId }: { readonly questionId: number }) {
  const site = useSite();
  const { t, locale, session, services } = site;
  const { state } = useSession();
  const { definition, firstOfType } = session.compiled;
  const login = buildPath("questionnaire/user", locale, { version: definition.id });
  // Without answers there is nothing to sign up for yet, so the link leads to the first question.
  const next = state.selectedOptions.length === 0 ? undefined : firstOfType.SignupView?.id;
  return (
    <div className={styles["account"]}>
      <h1 tabIndex={-1}>{t("question.account.title")}</h1>
      <p>{t("question.account.text")}</p>
      <Button arrow href={login} onClick={() => services.store.set("questionnaireTarget", String(questionId))}>
        {t("question.account.login")}
      </Button>
      <InPlaceLink
        kind="secondary"
        href={questionPath(locale, definition.id, next ?? definition.initialQuestion)}
        before={() => state.signupDone && signUpAnew(site)}
      >
        {t("question.account.signup")}
      </InPlaceLink>
    </div>
  );
}
