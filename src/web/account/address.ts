import type { Output } from "#core/api.ts";
import { useEffect, useState } from "react";
import { isSignedIn } from "../session/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The account's address as the server has it, with the one that waits; null before it has come, and where it does not come. */
export function useAddress(): Output<"email"> | null {
  const { api, store } = useSite().services;
  const { live } = useSession();
  const [address, setAddress] = useState<Output<"email"> | null>(null);
  useEffect(() => {
    // Without it the pages say what the device remembers.
    if (live && isSignedIn(store)) void api.call("email").then(setAddress, () => undefined);
  }, [live, api, store]);
  return address;
}
