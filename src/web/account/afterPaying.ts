import type { Output } from "#core/api.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { useAddress } from "./address.ts";

export interface AfterPaying {
  /** The payment has come through. */
  readonly paid: boolean;
  /** YYYY-MM-DD of a trial's end: the plan's own, so that whoever opens the page again days later is not promised more of them. */
  readonly trialEnd: string | null;
  /** The address counts; null while nobody has said. */
  readonly confirmed: boolean | null;
  readonly email: string | undefined;
  /** As the server has it; null before it has come. */
  readonly address: Output<"email"> | null;
  /** The visitor has said so. */
  readonly hasApp: boolean;
  readonly sayHasApp: () => void;
}

/** How far somebody is who has paid: the same on every page that follows. */
export function useAfterPaying(): AfterPaying {
  const { store, api } = useSite().services;
  const { state, live } = useSession();
  const address = useAddress();
  const [paid, setPaid] = useState(false);
  const [trialEnd, setTrialEnd] = useState<string | null>(null);
  const [hasApp, setHasApp] = useState(false);
  const look = useEffectEvent(async () => {
    setPaid(store.get("paymentStatus") === "completed");
    setHasApp(store.get("hasApp") !== null);
    if (!isSignedIn(store)) return;
    try {
      const { subscription } = await api.call("subscription");
      setPaid((known) => known || subscription?.status === "active");
      const { trialing, end, timeZone } = subscription ?? {};
      if (trialing === true && end != null) setTrialEnd(dayIn(Date.parse(end), timeZone ?? "UTC"));
    } catch {
      // The list then says what the device knows.
    }
  });
  useEffect(() => {
    if (live) void look();
  }, [live]);
  return {
    paid,
    trialEnd,
    confirmed: address === null ? null : address.confirmed && address.pending === null,
    address,
    email: address?.pending ?? address?.email ?? state.user.email,
    hasApp,
    sayHasApp: () => {
      store.set("hasApp", "1");
      setHasApp(true);
    },
  };
}
