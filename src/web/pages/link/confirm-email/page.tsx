/** The link of the confirmation mail, on the web and out of the app (spec 001 §4, "Confirm e-mail"). */
import type { Session as ServerSession } from "#core/api.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import styles from "../../../account/account.module.css";
import { atNamedBackend, exchangeToken, goOn, keepSession, keepWish } from "../../../account/arrive.ts";
import { problemKey } from "../../../account/EmailScene.tsx";
import { showFailure, useFailurePage } from "../../../account/failure.ts";
import { Waiting } from "../../../account/Waiting.tsx";
import { ApiError, ConnectionError } from "../../../api/request.ts";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../session/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";

/** The confirmation shows as long before the app takes over, ms. */
const shownBeforeApp = 1_500;

type Step =
  | { readonly kind: "waiting" | "confirmed" | "failed" | "taken" }
  | { readonly kind: "ask"; readonly problem?: string }
  /** The link's login belongs to somebody else than who was here before. */
  | { readonly kind: "other"; readonly session: ServerSession };

function View() {
  const site = useSite();
  const { t, rich, say, locale, client } = site;
  const { api, store, arrival, report } = site.services;
  const [step, setStep] = useState<Step>({ kind: "waiting" });
  const [entered, setEntered] = useState<ServerSession | null>(null);
  const [busy, setBusy] = useState(false);
  const mobile = arrival.get("platform") === "mobile";
  const wish = { target: targetIn(arrival.get("target")), discount: discountIn(arrival.get("discount")) };
  useFailurePage("login/expired");

  function enter(session: ServerSession) {
    keepSession(site, session);
    setEntered(session);
  }

  /** The link's login, if it carries one. @returns false when it failed (spec 001 §8), or when it is asked about first */
  async function enterByLink(): Promise<boolean> {
    const token = arrival.get("token");
    if (token === null) return true;
    try {
      const { session, isOther } = await exchangeToken(site, token);
      if (isOther) setStep({ kind: "other", session });
      else enter(session);
      return !isOther;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) report(error);
      keepWish(store, wish);
      showFailure(site, "login/expired", error, true);
      return false;
    }
  }

  const confirm = () =>
    atNamedBackend(site, async () => {
      setStep({ kind: "waiting" });
      if (await enterByLink()) await confirmAddress();
    });

  async function confirmAddress() {
    setStep({ kind: "waiting" });
    try {
      await api.call("confirmEmail", { body: { confirmToken: arrival.get("confirm_token") ?? "" } });
      setStep({ kind: "confirmed" });
      // Whoever is not logged in here logs in first, by a link: on a device that was not known the password has ended (decisions 047, 048).
      if (!isSignedIn(store)) keepWish(store, wish);
      if (mobile) setTimeout(() => location.replace(appPage()), shownBeforeApp);
    } catch (error) {
      if (error instanceof ConnectionError || (error instanceof ApiError && (error.code === 1429 || error.status >= 500)))
        return setStep({ kind: "ask", problem: say(problemKey(error)) });
      if (!(error instanceof ApiError)) report(error);
      setStep({ kind: error instanceof ApiError && error.code === 1101 ? "taken" : "failed" });
    }
  }

  /** The app host's own confirmation page (spec 001 §2). */
  const appPage = () => `${client.appUrl}/confirm-email?${new URLSearchParams({ locale, target: "dashboard" })}`;

  async function goFurther() {
    setBusy(true);
    try {
      const session = entered ?? (await api.call("refresh", { body: { refreshToken: store.get("refreshToken") ?? "" } }));
      keepSession(site, session);
      await goOn(site, session, { ...wish, replace: true });
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError) || error.status >= 500) return;
      keepWish(store, wish);
      location.assign(buildPath("login/link", locale));
    }
  }

  const start = useEffectEvent(() => {
    // A program that reads mail has no account here: it is not allowed to confirm one, or to log in.
    if (store.get("signupEmail") !== null || !(arrival.has("confirm_token") || arrival.has("token"))) void confirm();
    else setStep({ kind: "ask" });
  });
  useEffect(() => start(), []);

  if (step.kind === "waiting") return <Waiting route="link/confirm-email" text={t("page.confirm-email.loading")} />;
  if (step.kind === "other")
    return (
      <Scene
        route="link/confirm-email"
        figure="think"
        title={t("page.link-login.title")}
        text={rich("page.link-login.other", { EMAIL: step.session.user.email })}
        action={
          <>
            <Button
              arrow
              onClick={() => {
                enter(step.session);
                void atNamedBackend(site, confirmAddress);
              }}
            >
              {t("page.link-login.go")}
            </Button>
            <Button kind="link" href={buildPath("home", locale)}>
              {t("page.link-login.home")}
            </Button>
          </>
        }
      />
    );
  if (step.kind === "ask")
    return (
      <Scene
        route="link/confirm-email"
        figure="phone"
        title={t("page.confirm-email.ask")}
        text={t("page.confirm-email.askText")}
        action={
          <Button arrow onClick={() => void confirm()}>
            {t("page.confirm-email.askGo")}
          </Button>
        }
      >
        {step.problem !== undefined && <p role="alert">{step.problem}</p>}
      </Scene>
    );
  if (step.kind === "failed" || step.kind === "taken")
    return (
      <Scene
        route="link/confirm-email"
        figure="shrug"
        title={t(`page.confirm-email.${step.kind}`)}
        text={t(`page.confirm-email.${step.kind}Text`)}
        action={
          <Button arrow href={buildPath("login/link", locale)}>
            {t("page.recover-password.link")}
          </Button>
        }
      />
    );
  return (
    <Scene
      route="link/confirm-email"
      figure="celebrate"
      confetti
      compact
      title={t("page.confirm-email.title")}
      text={t("page.confirm-email.text")}
      action={
        mobile ? undefined : isSignedIn(store) ? (
          <Button arrow busy={busy} onClick={() => void goFurther()}>
            {t("page.link-login.go")}
          </Button>
        ) : (
          <Button arrow href={buildPath("login/link", locale)}>
            {t("page.recover-password.link")}
          </Button>
        )
      }
    >
      <svg className={styles["tick"]} viewBox="0 0 88 88" aria-hidden="true" data-tick>
        <circle cx="44" cy="44" r="40" pathLength="1" />
        <path d="M27 45.5 39 57.5 62 33" pathLength="1" />
      </svg>
    </Scene>
  );
}

// Nothing is confirmed before the button is pressed.
export const page: Page = {
  title: ({ t }) => t("page.confirm-email.askGo"),
  description: ({ t }) => t("page.confirm-email.askText"),
  View,
};
