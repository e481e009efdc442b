import { discountIn, discountQuery } from "#core/links.ts";
import { useSession, useSite } from "../siteContext.tsx";

/** The query that hands on the discount that the visitor came with, for links that lead to the reactivation page. The server renders them without. */
export function useKeptDiscount(): string {
  const { services } = useSite();
  const { live } = useSession();
  return live ? discountQuery(discountIn(services.arrival.get("discount"))) : "";
}
