/** The address that was given last on this device, for texts that name it. */
import { useSession, useSite } from "../siteContext.tsx";

/** The address, or `unknown`, which selects a text's wording without one: before hydration, and when none was given. */
export function useKnownAddress(): string {
  const { services } = useSite();
  const { live } = useSession();
  return (live ? services.store.get("signupEmail") : null) ?? "unknown";
}
