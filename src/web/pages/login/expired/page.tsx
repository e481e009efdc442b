/** A login link that is used, expired or invalid (spec 001 §8, "Token exchange failure"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { useGoingFurther } from "../../../account/goFurther.ts";
import { useFailure } from "../../../account/temporaryFailure.ts";
import { Waiting } from "../../../account/Waiting.tsx";
import { accountAddress } from "../../../device/accountAddress.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { showPage } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

function View() {
  const { t, locale, services } = useSite();
  const { live } = useSession();
  const { problem, from } = useFailure();
  // After a temporary failure, the same link may work later.
  const again = problem !== null && services.arrival.has("token") ? from : null;
  const session = useStanding(live && again === null);
  if (session === "asking") return <Waiting route="login/expired" text={t("shell.loading")} />;
  if (session === "stands") return <Needless />;
  return (
    <Scene
      route="login/expired"
      figure="shrug"
      title={t("login_link_expired_title")}
      text={t("login_link_expired_body")}
      action={
        <>
          <Button arrow href={buildPath("login/link", locale)}>
            {t("login_link_expired_button")}
          </Button>
          {again !== null && (
            <Button kind="link" onClick={() => showPage(again, { replace: true })}>
              {t("page.login-expired.again")}
            </Button>
          )}
        </>
      }
    >
      {again !== null && problem !== null && <p role="alert">{t(problem)}</p>}
    </Scene>
  );
}

/** Whether the device has a session. A call finds out, because it clears the tokens of a session that is over. If it gets no answer, the session counts as open. */
function useStanding(isAsked: boolean): "none" | "asking" | "stands" {
  const { api, store } = useSite().services;
  const [isTold, setTold] = useState(false);
  const ask = useEffectEvent(async () => {
    if (isSignedIn(store)) await api.call("email", { quietly: true }).catch(() => undefined);
    setTold(true);
  });
  useEffect(() => {
    if (isAsked) void ask();
  }, [isAsked]);
  if (!isAsked || !isSignedIn(store)) return "none";
  return isTold ? "stands" : "asking";
}

/** The link no longer works, and is not needed: the visitor is signed in here. Nobody knows whose link it was, so the account is named. */
function Needless() {
  const { t, rich, locale, services } = useSite();
  const { busy, problem, goFurther } = useGoingFurther(null);
  return (
    <Scene
      route="login/expired"
      figure="wave"
      title={t("page.login-expired.needless")}
      text={rich("page.login-expired.needlessText", { EMAIL: accountAddress(services.store) })}
      action={
        <>
          <Button arrow busy={busy} onClick={goFurther}>
            {t("page.link-login.go")}
          </Button>
          <Button kind="link" href={buildPath("login/link", locale)}>
            {t("page.login-expired.other")}
          </Button>
        </>
      }
    >
      {problem !== null && <p role="alert">{t(problem)}</p>}
    </Scene>
  );
}

export const page: Page = { title: ({ t }) => t("login_link_expired_title"), description: ({ t }) => t("login_link_expired_body"), View };
