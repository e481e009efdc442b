/**
 * Opens the account that a link's token belongs to (spec 001 §4, "Token login"). Programs that read mail open links too, and
 * some run the page: so the token is used at once only in a browser that has asked for it, elsewhere after a tap.
 */
import type { Session as ServerSession } from "#core/api.ts";
import { allowedBackend, discountIn, targetIn } from "#core/links.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { ConnectionError, ApiError } from "../api/client.ts";
import { goToPath } from "../navigation.ts";
import type { Page } from "../page.ts";
import { Scene } from "../shell/Scene.tsx";
import { useSite } from "../siteContext.tsx";
import { goOn, keepSession } from "./arrive.ts";
import { problemKey } from "./EmailScene.tsx";
import { Waiting } from "./Waiting.tsx";

type Step =
  | { readonly kind: "waiting" }
  /** A tap opens it. */
  | { readonly kind: "ask"; readonly problem?: string }
  /** It belongs to somebody else than who was here before. */
  | { readonly kind: "other"; readonly session: ServerSession };

export function linkLoginPage(route: "link/login" | "token-login"): Page {
  function View() {
    const site = useSite();
    const { t, rich, say, locale, client } = site;
    const { api, store, arrival, callBackend, report } = site.services;
    const [step, setStep] = useState<Step>({ kind: "waiting" });
    const here = { locale, version: site.session.compiled.definition.id };
    const target = targetIn(arrival.get("target"));
    const discount = discountIn(arrival.get("discount"));

    async function exchange() {
      const token = arrival.get("token");
      setStep({ kind: "waiting" });
      try {
        if (token === null) throw new ApiError(410, location.pathname, 1004, "No token", {});
        const asked = store.get("signupEmail");
        const session = await api.call("token", { body: { token } });
        arrival.delete("token");
        if (asked !== null && asked.toLowerCase() !== session.user.email) return setStep({ kind: "other", session });
        await enter(session);
      } catch (error) {
        if (error instanceof ConnectionError || (error instanceof ApiError && (error.code === 1429 || error.status >= 500)))
          return setStep({ kind: "ask", problem: say(problemKey(error)) });
        if (!(error instanceof ApiError)) report(error);
        if (target !== null) store.set("questionnaireTarget", String(target));
        goToPath(buildPath("login/expired", locale), here, { replace: true });
      }
    }

    async function enter(session: ServerSession) {
      keepSession(site, session);
      await goOn(site, session, { target, discount, replace: true });
    }

    const start = useEffectEvent(() => {
      const backend = arrival.get("backend-url");
      const allowed = allowedBackend(backend, client.backends);
      if (backend !== null && allowed === null) report(new Error("A link named a back end that is none of ours"));
      callBackend(allowed);
      if (store.get("signupEmail") !== null || !arrival.has("token")) void exchange();
      else setStep({ kind: "ask" });
    });
    useEffect(() => start(), []);

    if (step.kind === "waiting") return <Waiting route={route} text={t("page.link-login.loading")} />;
    const other = step.kind === "other";
    return (
      <Scene
        route={route}
        figure={other ? "think" : "wave"}
        title={t("page.link-login.title")}
        text={other ? rich("page.link-login.other", { EMAIL: step.session.user.email }) : t("page.link-login.text")}
        action={
          <>
            <Button arrow onClick={() => void (other ? enter(step.session) : exchange())}>
              {t("page.link-login.go")}
            </Button>
            {other && (
              <Button kind="link" href={buildPath("home", locale)}>
                {t("page.link-login.home")}
              </Button>
            )}
          </>
        }
      >
        {"problem" in step && <p role="alert">{step.problem}</p>}
      </Scene>
    );
  }
  return { title: ({ t }) => t("meta.login/link.title"), description: ({ t }) => t("meta.login/link.description"), View };
}
