/** The last address typed on this device, for texts that name it. */
import { useSession, useSite } from "../siteContext.tsx";

/** The address; before hydration or without one, `unknown`, which selects a wording without address. */
export function useKnownAddress(): string {
  const { services } = useSite();
  const { live } = useSession();
  return (live ? services.store.get("signupEmail") : null) ?? "unknown";
}
