/** A subscription as its provider last reported it. */
import * as v from "valibot";
import type { Queries } from "../store/schema.ts";
import { storedFactSchema, type SubscriptionFact } from "./provider.ts";

/** Null when the provider has reported none. */
export async function subscriptionOf(queries: Queries, providerName: string, id: string): Promise<SubscriptionFact | null> {
  const row = await queries
    .selectFrom("provider_facts")
    .select("fact")
    .where("payment_provider", "=", providerName)
    .where("id", "=", id)
    .executeTakeFirst();
  const fact = row === undefined ? null : v.parse(storedFactSchema, row.fact);
  return fact?.kind === "subscription" ? fact : null;
}
