import type { Output } from "#core/api.ts";
import { useEffect, useState } from "react";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The account's address as the server has it, and the new one that awaits confirmation; null until it has loaded, or when it fails to. */
export function useAddress(): Output<"email"> | null {
  const { api, store } = useSite().services;
  const { live } = useSession();
  const [address, setAddress] = useState<Output<"email"> | null>(null);
  useEffect(() => {
    if (!live || !isSignedIn(store)) return;
    // Without it the pages say what the device remembers.
    const ask = () => void api.call("email").then(setAddress, () => undefined);
    // Confirmed in another tab or in the mailbox's app: whoever comes back sees it at once.
    const back = () => document.visibilityState === "visible" && ask();
    ask();
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, [live, api, store]);
  return address;
}
