/** Days that an operator grants, stored as a fact like those of a provider. */
import { maxGrantedDays, paymentProviders } from "#core/products.ts";
import { sql } from "kysely";
import * as v from "valibot";
import type { OrdersTable } from "../store/paymentTables.ts";
import type { Queries } from "../store/schema.ts";
import { type GiftFact, storedFactSchema } from "./provider.ts";

export interface Gift {
  /** Chosen by the caller: a second grant with the same id changes nothing. */
  readonly id: string;
  readonly days: number;
}
/** `known`: this id was granted before. `another's`: it was granted to another person. `too many`: for one year. */
export type GiftAnswer = "given" | "known" | "another's" | "too many" | "no plan";

const yearMs = 365 * 86_400_000;
const idPrefix = "gift-";
/** As an index of the migrations has it. */
const isGift = sql<boolean>`provider_facts.id LIKE ${sql.lit(`${idPrefix}%`)}`;

/** The subscriptions for which days were granted, of plans that end after `from`. It reads all grants, which support makes by hand. */
export function subscriptionsWithGifts(
  queries: Queries,
  from: number,
): Promise<readonly { readonly provider: string; readonly id: string | null }[]> {
  return queries
    .selectFrom("provider_facts")
    .innerJoin("orders", (join) =>
      join
        .onRef("orders.payment_provider", "=", "provider_facts.payment_provider")
        .onRef("orders.subscription_id", "=", "provider_facts.subscription_id"),
    )
    .innerJoin("entitlements", "entitlements.order_id", "orders.id")
    .select(["provider_facts.payment_provider as provider", "provider_facts.subscription_id as id"])
    .distinct()
    .where(isGift)
    .where("provider_facts.payment_provider", "in", paymentProviders)
    .where("provider_facts.subscription_id", "is not", null)
    .where("entitlements.status", "=", "active")
    .where("entitlements.ends_at", ">", from)
    .execute();
}

/** All grants to an account, on any of its orders. */
async function giftsTo(queries: Queries, accountUuid: string): Promise<readonly GiftFact[]> {
  const rows = await queries
    .selectFrom("orders")
    .innerJoin("provider_facts", (join) =>
      join
        .onRef("provider_facts.payment_provider", "=", "orders.payment_provider")
        .onRef("provider_facts.transaction_id", "=", "orders.transaction_id"),
    )
    .select("provider_facts.fact")
    .where("orders.account_uuid", "=", accountUuid)
    .where(isGift)
    .execute();
  return rows.map(({ fact }) => v.parse(storedFactSchema, fact)).filter((fact) => fact.kind === "gift");
}

/** Call it within a write that has locked the account and then settles the order. */
export async function addGift(
  queries: Queries,
  order: Pick<OrdersTable, "payment_provider" | "transaction_id" | "subscription_id"> & { readonly account_uuid: string },
  { id, days }: Gift,
  now: number,
): Promise<GiftAnswer> {
  if (order.transaction_id === null) return "no plan";
  const fact: GiftFact = {
    kind: "gift",
    id: `${idPrefix}${id}`,
    transactionId: order.transaction_id,
    subscriptionId: order.subscription_id,
    days,
    at: now,
  };
  const before = await giftsTo(queries, order.account_uuid);
  if (before.some((gift) => gift.id === fact.id)) return "known";
  const used = await queries
    .selectFrom("provider_facts")
    .select("id")
    .where("payment_provider", "in", paymentProviders)
    .where("id", "=", fact.id)
    .executeTakeFirst();
  if (used !== undefined) return "another's";
  const lately = before.filter(({ at }) => at > now - yearMs).reduce((sum, gift) => sum + gift.days, 0);
  if (lately + days > maxGrantedDays) return "too many";
  const added = await queries
    .insertInto("provider_facts")
    .values({
      payment_provider: order.payment_provider,
      id: fact.id,
      version: "1",
      fact: JSON.stringify(fact),
      transaction_id: fact.transactionId,
      subscription_id: fact.subscriptionId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n ? "given" : "another's";
}
