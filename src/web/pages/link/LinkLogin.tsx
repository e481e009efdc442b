/**
 * Logs in with a link's token (spec 001 §4, "Token login"). Mail scanners open links too, and some run scripts. So the token is used at
 * once only in a browser that requested the link, elsewhere after a tap.
 */
import * as codes from "#core/errorCodes.ts";
import type { Session as ServerSession } from "#core/api.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { ApiError, ConnectionError } from "../../api/request.ts";
import type { Page } from "../../page.ts";
import { Scene } from "../../shell/Scene.tsx";
import { useSite } from "../../siteContext.tsx";
import { exchangeToken, goOn, storeLinkTarget, storeSession } from "../../account/afterLogin.ts";
import { problemKey } from "../../account/EmailScene.tsx";
import { showFailure, useFailurePage } from "../login/failure.ts";
import { Waiting } from "../../account/Waiting.tsx";

type Step =
  | { readonly kind: "waiting" }
  /** Waits for a tap. */
  | { readonly kind: "ask" }
  /** The token belongs to another account than this browser's. */
  | { readonly kind: "other"; readonly email: string }
  /** Logged in, but loading the saved state failed. */
  | { readonly kind: "entered"; readonly session: ServerSession; readonly problem: string };

export function linkLoginPage(route: "link/login" | "token-login"): Page {
  function View() {
    const site = useSite();
    const { t, rich, say, locale } = site;
    const { store, arrival, report } = site.services;
    const [step, setStep] = useState<Step>({ kind: "waiting" });
    const arrivalTarget = { target: targetIn(arrival.get("target")), discount: discountIn(arrival.get("discount")) };
    useFailurePage("login/expired");

    async function exchange(hasAgreed = false) {
      const token = arrival.get("token");
      setStep({ kind: "waiting" });
      let opened: Awaited<ReturnType<typeof exchangeToken>>;
      try {
        if (token === null) throw new ApiError(410, location.pathname, codes.invalidLink, "No token", {});
        opened = await exchangeToken(site, token, hasAgreed);
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof ConnectionError)) report(error);
        storeLinkTarget(store, arrivalTarget);
        return showFailure(site, "login/expired", error, true);
      }
      if ("otherEmail" in opened) return setStep({ kind: "other", email: opened.otherEmail });
      await enter(opened);
    }

    async function enter(session: ServerSession) {
      setStep({ kind: "waiting" });
      storeSession(site, session);
      storeLinkTarget(store, arrivalTarget);
      try {
        await goOn(site, session, { replace: true });
      } catch (error) {
        setStep({ kind: "entered", session, problem: say(problemKey(error)) });
      }
    }

    const start = useEffectEvent(() => {
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
        text={other ? rich("page.link-login.other", { EMAIL: step.email }) : t("page.link-login.text")}
        action={
          <>
            <Button arrow onClick={() => void (step.kind === "entered" ? enter(step.session) : exchange(other))}>
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
        {step.kind === "entered" && <p role="alert">{step.problem}</p>}
      </Scene>
    );
  }
  return { title: ({ t }) => t("meta.login/link.title"), description: ({ t }) => t("meta.login/link.description"), View };
}
