/** The visitor's plan on the server, and the result of the last action. */
import type { SubscriptionView } from "#core/api.ts";
import * as codes from "#core/errorCodes.ts";
import type { SubscriptionAction } from "#core/products.ts";
import { useTimeout } from "#ui/motion.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { ApiError } from "../../api/request.ts";
import { useSite } from "../../siteContext.tsx";

/** The longest time that the loader is shown, ms (spec 001 §9). */
const loaderLimit = 15_000;

type PlanState = SubscriptionView | null | "loading" | "failed";
type Doing = SubscriptionAction | "card";

export interface ManagedPlan {
  readonly shown: PlanState;
  readonly doing: Doing | null;
  /** The text key for the last action's result. */
  readonly result: UiKey | null;
  readonly clearResult: () => void;
  readonly load: () => Promise<void>;
  /** Resolves with whether the plan is shown as it is now. False: the change can be tried again. */
  readonly change: (action: SubscriptionAction) => Promise<boolean>;
  readonly toCardPage: () => Promise<void>;
}

/** Loads the plan if `signedIn`. `onPlan` is called with each loaded plan. */
export function useManagedPlan(signedIn: boolean, onPlan?: (plan: SubscriptionView | null) => void): ManagedPlan {
  const { api } = useSite().services;
  const [shown, setShown] = useState<PlanState>("loading");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [result, setResult] = useState<UiKey | null>(null);

  function show(plan: SubscriptionView | null) {
    setShown(plan);
    onPlan?.(plan);
  }
  async function load() {
    setShown("loading");
    try {
      show((await api.call("subscription")).subscription);
    } catch {
      // The panel shows the failure and a button to try again.
      setShown("failed");
    }
  }
  const begin = useEffectEvent(() => void load());
  useEffect(() => {
    if (signedIn) begin();
  }, [signedIn]);
  // A plan that loads later is still shown.
  useTimeout(() => setShown("failed"), signedIn && shown === "loading" ? loaderLimit : null);

  async function attempt(what: Doing, work: () => Promise<void>): Promise<boolean> {
    setDoing(what);
    setResult(null);
    try {
      await work();
      return true;
    } catch (error) {
      setResult(whyNot(what, error));
      return false;
    } finally {
      setDoing(null);
    }
  }
  function change(action: SubscriptionAction): Promise<boolean> {
    return attempt(action, async () => {
      try {
        show((await api.call("subscriptionChange", { body: { action } })).subscription);
        setResult(`subscription.done.${action}`);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== codes.notSold) throw error;
        // The plan no longer has this action: it has changed in another tab or at the provider.
        show((await api.call("subscription")).subscription);
        setResult("subscription.changed");
      }
    });
  }

  const toCardPage = useCardPage({ attempt, show, setResult });
  return { shown, doing, result, clearResult: () => setResult(null), load, change, toCardPage };
}

interface CardPage {
  readonly attempt: (what: Doing, work: () => Promise<void>) => Promise<boolean>;
  readonly show: (plan: SubscriptionView | null) => void;
  readonly setResult: (result: UiKey | null) => void;
}

/** Opens the provider's card page in a new tab, because it has no way back. The tab opens at the click, or the browser would block it. */
function useCardPage({ attempt, show, setResult }: CardPage): () => Promise<void> {
  const { api } = useSite().services;
  const cardOpened = useRef(false);
  async function toCardPage() {
    const tab = window.open("", "_blank");
    const opened = await attempt("card", async () => {
      const { url } = await api.call("subscriptionCard");
      if (tab === null) return location.assign(url);
      tab.opener = null;
      tab.location.replace(url);
      cardOpened.current = true;
      setResult("subscription.card.opened");
    });
    if (!opened) tab?.close();
  }
  const comeBack = useEffectEvent(async () => {
    if (document.visibilityState !== "visible" || !cardOpened.current) return;
    try {
      show((await api.call("subscription")).subscription);
      setResult(null);
    } catch {
      // If this fails, the plan and the link to the card page stay as they were.
    }
  });
  useEffect(() => {
    const back = () => void comeBack();
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, []);
  return toCardPage;
}

/** The text key for a failed change. An unknown device must log in first, which makes it known. */
function whyNot(what: Doing, error: unknown): UiKey {
  if (error instanceof ApiError && error.fields["password"] !== undefined) return "subscription.proof";
  return what === "cancel" ? "subscription.cancel.failed" : "subscription.failed";
}
