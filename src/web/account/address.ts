import type { Output } from "#core/api.ts";
import { useEffect, useState } from "react";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The account's address and the new one that awaits confirmation; null until it has loaded or if it fails. */
export function useAddress(): Output<"email"> | null {
  const { api, store } = useSite().services;
  const { live } = useSession();
  const [address, setAddress] = useState<Output<"email"> | null>(null);
  useEffect(() => {
    if (!live || !isSignedIn(store)) return;
    // If this fails, pages show the stored address.
    const ask = () => void api.call("email").then(setAddress, () => undefined);
    // The visitor may confirm in another tab, window or app, so the page asks again when they come back.
    const back = () => document.visibilityState === "visible" && ask();
    ask();
    document.addEventListener("visibilitychange", back);
    window.addEventListener("focus", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      window.removeEventListener("focus", back);
    };
  }, [live, api, store]);
  return address;
}
