import type { Output } from "#core/api.ts";
import { useInterval } from "#ui/motion.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { learnAddress } from "../device/cachedConfig.ts";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";

/**
 * While a confirmation is awaited, the page asks the server this often, ms, and this many times. Some visitors read the mail in a window
 * beside this page and never leave the page.
 */
export const askEvery = 10_000;
export const mostAsks = 30;

/** The account's address and the new one that awaits confirmation; null until it has loaded or if it fails. */
export function useAddress(): Output<"email"> | null {
  const { api, store } = useSite().services;
  const { live } = useSession();
  const [address, setAddress] = useState<Output<"email"> | null>(null);
  const [asks, setAsks] = useState(0);
  // If this fails, pages show the stored address.
  const load = () =>
    void api.call("email").then(
      (told) => {
        learnAddress(store, told.email);
        setAddress(told);
      },
      () => undefined,
    );
  const ask = useEffectEvent(load);
  useEffect(() => {
    if (!live || !isSignedIn(store)) return;
    // The visitor may confirm in another tab, window or app, so the page asks again when they come back.
    const back = () => document.visibilityState === "visible" && ask();
    ask();
    document.addEventListener("visibilitychange", back);
    window.addEventListener("focus", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      window.removeEventListener("focus", back);
    };
  }, [live, store]);
  const waits = address !== null && (!address.confirmed || address.pending !== null);
  useInterval(
    () => {
      if (document.visibilityState !== "visible") return;
      setAsks(asks + 1);
      load();
    },
    waits && asks < mostAsks ? askEvery : null,
  );
  return address;
}
