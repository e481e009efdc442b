/** The steps of a confirmation link (spec 001 §4, "Confirm e-mail"). */
import * as codes from "#core/errorCodes.ts";
import type { Session as ServerSession } from "#core/api.ts";
import { discountIn, targetIn } from "#core/links.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { exchangeToken, type LinkTarget, namedBackend, storeLinkTarget, storeSession } from "../../../account/afterLogin.ts";
import { problemKey } from "../../../account/EmailScene.tsx";
import { useGoingFurther } from "../../../account/goFurther.ts";
import { showFailure, useFailurePage } from "../../login/failure.ts";
import { ApiError, ConnectionError } from "../../../api/request.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { useSite, type WebSite } from "../../../siteContext.tsx";

/** How long the confirmation is shown before the app opens, ms. */
const shownBeforeApp = 1_500;

export type Step =
  | { readonly kind: "waiting" }
  /**
   * `signedOut`: the confirmation has ended this browser's session. Only the session that asked for the new address goes on (decision 048). `passwordEnded`: it
   * has ended the password, and the sessions of the device that signed up (decision 047).
   */
  | { readonly kind: "confirmed"; readonly email: string | undefined; readonly passwordEnded: boolean; readonly signedOut?: true }
  | { readonly kind: "failed" | "taken" }
  /** The link no longer works, and the address of whoever is signed in here is confirmed. */
  | { readonly kind: "needless"; readonly email: string }
  | { readonly kind: "ask"; readonly problem?: string }
  /** The link's login belongs to another account than this browser's. */
  | { readonly kind: "other"; readonly email: string };

/** Runs the link's login, then confirms the address. `step` is the current step. */
export function useConfirmation() {
  const site = useSite();
  const { store, arrival } = site.services;
  const [step, setStep] = useState<Step>({ kind: "waiting" });
  const [entered, setEntered] = useState<ServerSession | null>(null);
  /** The sign-up was on another device, whose password and session have ended (decision 047). */
  const [elsewhere, setElsewhere] = useState(false);
  const mobile = arrival.get("platform") === "mobile";
  const [bringsLogin] = useState(() => arrival.has("token"));
  const arrivalTarget = { target: targetIn(arrival.get("target")), discount: discountIn(arrival.get("discount")) };
  const { goFurther, takeOver, ...further } = useGoingFurther(entered);
  useFailurePage("login/expired");

  function enter(session: ServerSession) {
    storeSession(site, session);
    setEntered(session);
  }

  /** Runs the link's login, if it has one. @returns false if it failed or needs confirmation first */
  async function enterByLink(hasAgreed = false): Promise<boolean> {
    setStep({ kind: "waiting" });
    const token = arrival.get("token");
    if (token === null) return true;
    try {
      const opened = await exchangeToken(site, token, hasAgreed);
      const isOther = "otherEmail" in opened;
      if (isOther) setStep({ kind: "other", email: opened.otherEmail });
      else enter(opened);
      return !isOther;
    } catch (error) {
      return showExpired(site, arrivalTarget, error);
    }
  }

  const confirm = async () => void ((await enterByLink()) && (await confirmAddress()));

  async function confirmAddress() {
    setStep({ kind: "waiting" });
    const next = await confirmed(site, arrival.get("confirm_token") ?? "");
    // The pages that name the account's address would name the former one until the next refresh.
    const wasSignedIn = next.kind === "confirmed" && !bringsLogin && isSignedIn(store);
    if (wasSignedIn) await takeOver();
    if (next.kind !== "confirmed") return setStep(next);
    // Stored for the next step, the login by a link, which then need not ask for the address.
    if (next.email !== undefined && !isSignedIn(store)) store.set("signupEmail", next.email);
    setStep(wasSignedIn && !isSignedIn(store) ? { ...next, signedOut: true } : next);
    if (next.passwordEnded) setElsewhere(true);
    if (next.passwordEnded || elsewhere) markPasswordEnded();
    // Without a session here, the visitor logs in by a link: confirming on an unknown device has ended the password (decisions 047, 048).
    if (!isSignedIn(store)) storeLinkTarget(store, arrivalTarget);
    if (mobile) setTimeout(() => location.replace(appPage(site)), shownBeforeApp);
  }

  const start = useEffectEvent(() => {
    // The exchange of a login's token does not tell whether it has ended the password.
    setElsewhere((asksFirst(site) && bringsLogin) || hasSaidPasswordEnded(site));
    if (asksFirst(site)) setStep({ kind: "ask" });
    else void confirm();
  });
  useEffect(() => start(), []);

  return {
    step,
    elsewhere,
    /** The confirmation opens the app. */
    mobile,
    /** The link's mail has a code too, for the device that signed up (decision 224). */
    withCode: arrival.has("with_code"),
    ...further,
    goFurther() {
      storeLinkTarget(store, arrivalTarget);
      goFurther();
    },
    confirm: () => void confirm(),
    async goOnAsOther() {
      setElsewhere(true);
      if (await enterByLink(true)) await confirmAddress();
    },
  };
}

/** Marks this entry of the history: the page may be reloaded, or opened again by Back, and the server says only once that the password has ended. */
const markPasswordEnded = () => history.replaceState({ ...history.state, passwordEnded: true }, "");

/** Whether this page has said so before. Whoever has logged in since may have a new password. */
const hasSaidPasswordEnded = ({ services: { store } }: WebSite) => history.state?.passwordEnded === true && !isSignedIn(store);

/** Shows the expired page after a failed login and stores the link's target (spec 001 §8). */
function showExpired(site: WebSite, target: LinkTarget, error: unknown): false {
  if (!(error instanceof ApiError || error instanceof ConnectionError)) site.services.report(error);
  storeLinkTarget(site.services.store, target);
  showFailure(site, "login/expired", error, true);
  return false;
}

/** Whether to wait for a tap: a mail scanner opens links too, has no stored address, and must neither confirm nor log in. */
const asksFirst = ({ services: { store, arrival } }: WebSite) =>
  store.get("signupEmail") === null && (arrival.has("confirm_token") || arrival.has("token"));

/** The app host's confirmation page (spec 001 §2). */
const appPage = ({ client, locale }: WebSite) => `${client.appUrl}/confirm-email?${new URLSearchParams({ locale, target: "dashboard" })}`;

/** Confirms the address. @returns the step it leads to */
async function confirmed(site: WebSite, confirmToken: string): Promise<Step> {
  const { api, store, report } = site.services;
  try {
    const { email, passwordEnded = false } = await api.call("confirmEmail", { body: { confirmToken }, at: namedBackend(site) });
    return { kind: "confirmed", email, passwordEnded };
  } catch (error) {
    if (error instanceof ConnectionError || (error instanceof ApiError && (error.code === codes.tooMany || error.status >= 500)))
      return { kind: "ask", problem: site.say(problemKey(error)) };
    if (!(error instanceof ApiError)) report(error);
    if (error instanceof ApiError && error.code === codes.emailTaken) return { kind: "taken" };
    // Whoever opens an old link here may have confirmed long ago.
    const address = isSignedIn(store) ? await api.call("email", { quietly: true }).catch(() => null) : null;
    return address?.confirmed === true && address.pending === null ? { kind: "needless", email: address.email } : { kind: "failed" };
  }
}
