import type { Level } from "#core/questionnaire/levels.ts";
import type { Output, SubscriptionView } from "#core/api.ts";
import { planStatusOf } from "#core/entitlement.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite, type WebSite } from "../siteContext.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { useAddress } from "./address.ts";

export interface AfterPaying {
  /** The payment is completed. */
  readonly paid: boolean;
  /** Nothing has been ordered, or only a plan that has ended: the visitor has come here without paying, for example to change the address. */
  readonly nothingOrdered: boolean;
  /** The plan has not loaded, so it is not known whether the visitor paid or began a free trial. */
  readonly loading: boolean;
  /** The visitor has signed up, but their session is over: nothing is known of the account. */
  readonly signedOut: boolean;
  /** The plan that was paid for has ended. */
  readonly ended: boolean;
  /** End of the trial, YYYY-MM-DD. From the plan, so that it stays right when the page is opened days later. */
  readonly trialEnd: string | null;
  /** The planned cancellation or pause, if there is one. Then nothing is charged when the trial ends. */
  readonly change: NonNullable<SubscriptionView["change"]>["action"] | null;
  /** Whether the address is confirmed; null if unknown. */
  readonly confirmed: boolean | null;
  readonly email: string | undefined;
  /** The address on the server; null until it has loaded. */
  readonly address: Output<"email"> | null;
  /** The level of the account's saved answers; null until it is loaded. */
  readonly level: Level | null;
  /** The visitor has said that they have the app. */
  readonly hasApp: boolean;
  readonly sayHasApp: () => void;
}

/** The visitor's progress after paying, the same on every following page. */
export function useAfterPaying(): AfterPaying {
  const { services } = useSite();
  const { store, api } = services;
  const { state, live } = useSession();
  const address = useAddress();
  const [paid, setPaid] = useState(false);
  const [nothingOrdered, setNothingOrdered] = useState(false);
  const [loading, setLoading] = useState(true);
  const [signedOut, setSignedOut] = useState(false);
  const [ended, setEnded] = useState(false);
  const [trialEnd, setTrialEnd] = useState<string | null>(null);
  const [change, setChange] = useState<AfterPaying["change"]>(null);
  const [level, setLevel] = useState<Level | null>(null);
  const [hasApp, setHasApp] = useState(false);
  const look = useEffectEvent(async () => {
    setPaid(store.get("paymentStatus") === "completed");
    setHasApp(store.get("hasApp") !== null);
    if (!isSignedIn(store)) {
      setLoading(false);
      return setSignedOut(state.signupDone);
    }
    try {
      const { subscription } = await api.call("subscription");
      setPaid((known) => known || subscription?.status === "active");
      const { status, trialing, end, timeZone } = subscription ?? {};
      const hasEnded = planStatusOf({ status, end: end ?? "0001" }, Date.now()) === "lapsed";
      setEnded(hasEnded);
      setChange(subscription?.change?.action ?? null);
      setLevel(subscription?.level ?? null);
      if (trialing === true && end != null) setTrialEnd(dayIn(Date.parse(end), timeZone ?? "UTC"));
      if (subscription === null || hasEnded) setNothingOrdered(!(await isPaying(services)));
    } catch {
      // The list then shows what the device knows.
    } finally {
      setLoading(false);
    }
  });
  useEffect(() => {
    if (live) void look();
  }, [live]);
  return {
    paid,
    nothingOrdered,
    loading: loading || signedOut,
    signedOut,
    ended,
    trialEnd,
    change,
    confirmed: address === null ? null : address.confirmed && address.pending === null,
    address,
    email: address?.pending ?? address?.email ?? state.user.email,
    level,
    hasApp,
    sayHasApp: () => {
      store.set("hasApp", "1");
      setHasApp(true);
    },
  };
}

/** Whether a payment awaits its confirmation. The provider's own page leads back without the form's word that it is paid, so the server is asked. */
async function isPaying({ store, api }: WebSite["services"]): Promise<boolean> {
  if (store.get("paymentStatus") === "pending") return true;
  const paymentProvider = store.get("paymentProvider") === "paddle" ? "paddle" : "paddlebilling";
  const { status } = await api.call("paymentStatus", { body: { paymentId: "", paymentProvider } });
  return status === "pending";
}
