/** The address that was given last on this device, for texts that name it. */
import { useSession, useSite } from "../siteContext.tsx";

/** `unknown` chooses the words of a text that has no address to name: before the page is alive, and where none was given. */
export function useKnownAddress(): string {
  const { services } = useSite();
  const { live } = useSession();
  return (live ? services.store.get("signupEmail") : null) ?? "unknown";
}
