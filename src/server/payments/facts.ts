/** The facts that a provider has reported, stored in their newest state, and the orders that they are about. */
import { sql } from "kysely";
import * as v from "valibot";
import type { Queries } from "../store/schema.ts";
import { type LedgerParts, lockAccountOf } from "./ledgerParts.ts";
import { book, noteMoment } from "./entries.ts";
import { refundAndEnd } from "./otherOrders.ts";
import type { Change } from "./planNews.ts";
import { noteRejection } from "./refunds.ts";
import { type Fact, storedFactSchema, type VersionedFact } from "./provider.ts";
import { settle } from "./settlement.ts";

/** The transaction and the subscription that a stored fact belongs to. */
interface FactLinks {
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
}
interface KeptFact {
  readonly fact: Fact;
  /** Null when a fact as new was known. */
  readonly change: Change | null;
  readonly links: FactLinks;
}

/** Stores a fact if it is newer than the known one. A known transaction or subscription id is never overwritten. */
async function keep(queries: Queries, provider: string, { version, fact }: VersionedFact): Promise<KeptFact> {
  // This changes nothing. It locks the row until the write ends, so that only one process sees each change.
  const known = await queries
    .updateTable("provider_facts")
    .set((expression) => ({ version: expression.ref("version") }))
    .where("payment_provider", "=", provider)
    .where("id", "=", fact.id)
    .returning(["version", "fact"])
    .executeTakeFirst();
  const transactionId = fact.kind === "transaction" ? fact.id : fact.transactionId;
  const subscriptionId = fact.kind === "subscription" ? fact.id : fact.subscriptionId;
  const kept = await queries
    .insertInto("provider_facts")
    .values({
      payment_provider: provider,
      id: fact.id,
      version,
      fact: JSON.stringify(fact),
      transaction_id: transactionId,
      subscription_id: subscriptionId,
    })
    .onConflict((conflict) =>
      conflict.columns(["payment_provider", "id"]).doUpdateSet({
        fact: sql`CASE WHEN excluded.version > provider_facts.version THEN excluded.fact ELSE provider_facts.fact END`,
        version: sql`CASE WHEN excluded.version > provider_facts.version THEN excluded.version ELSE provider_facts.version END`,
        transaction_id: sql`COALESCE(provider_facts.transaction_id, excluded.transaction_id)`,
        subscription_id: sql`COALESCE(provider_facts.subscription_id, excluded.subscription_id)`,
      }),
    )
    .returning(["version", "transaction_id", "subscription_id"])
    .executeTakeFirstOrThrow();
  const links = { transactionId: kept.transaction_id, subscriptionId: kept.subscription_id };
  if (kept.version !== version || known?.version === version) return { fact, change: null, links };
  return { fact, change: { before: known === undefined ? null : v.parse(storedFactSchema, known.fact), after: fact }, links };
}

/** The order that a fact belongs to, if it is one of ours. */
async function orderIdOf(queries: Queries, { provider, world }: LedgerParts, { fact, links }: KeptFact): Promise<string | null> {
  const { transactionId, subscriptionId } = links;
  const found = await queries
    .selectFrom("orders")
    .select("id")
    .where("payment_provider", "=", provider.name)
    .where((expression) =>
      expression.or([expression("transaction_id", "=", transactionId), expression("subscription_id", "=", subscriptionId)]),
    )
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  // An adjustment or renewal. Its subscription may be known only from the first transaction.
  const related = await queries
    .selectFrom("orders")
    .select("id")
    .where("payment_provider", "=", provider.name)
    .where("transaction_id", "in", (expression) =>
      expression
        .selectFrom("provider_facts")
        .select("transaction_id")
        .where("payment_provider", "=", provider.name)
        .where("subscription_id", "=", subscriptionId),
    )
    .executeTakeFirst();
  if (related !== undefined) return related.id;
  // The answer to the transaction's creation was lost, but the transaction names its order.
  if (fact.kind !== "transaction" || fact.orderId === null) return null;
  await lockAccountOf(queries, fact.orderId);
  const bound = await queries
    .updateTable("orders")
    .set({ transaction_id: fact.id, updated_at: world.now() })
    .where("id", "=", fact.orderId)
    .where("payment_provider", "=", provider.name)
    .where("transaction_id", "is", null)
    .returning("id")
    .executeTakeFirst();
  return bound?.id ?? null;
}

export interface AppliedFacts {
  /** Whether a mail was queued. */
  readonly mail: boolean;
  /** One of the orders that the facts are about. */
  readonly orderId: string | null;
}

/** Stores the facts and settles the orders that they are about. */
export async function applyFacts(queries: Queries, parts: LedgerParts, facts: readonly VersionedFact[]): Promise<AppliedFacts> {
  const kept = new Map<Fact, KeptFact>();
  for (const fact of facts.toSorted((a, b) => (a.fact.id < b.fact.id ? -1 : 1))) {
    const one = await keep(queries, parts.provider.name, fact);
    kept.set(fact.fact, one);
    if (one.change === null) continue;
    await noteMoment(queries, parts, one.change);
    await noteRejection(queries, parts.provider.name, one.change);
  }
  const changes = [...kept.values()].flatMap(({ change }) => change ?? []);
  const applied = { mail: false, orderId: null as string | null };
  for (const { fact } of facts) {
    const one = kept.get(fact);
    if (one === undefined) continue;
    const { mail, orderId } = await settleFact(queries, parts, one, changes);
    applied.mail ||= mail;
    applied.orderId ??= orderId;
  }
  return applied;
}

async function settleFact(queries: Queries, parts: LedgerParts, kept: KeptFact, changes: readonly Change[]): Promise<AppliedFacts> {
  const { fact, change } = kept;
  const orderId = await orderIdOf(queries, parts, kept);
  await book(queries, parts, fact, orderId);
  if (orderId !== null) return { mail: await settle(queries, parts, orderId, change, changes), orderId };
  await refundSecondPayment(queries, parts, fact);
  return { mail: false, orderId };
}

/** A second payment of one order: somebody opened a pay link twice. */
async function refundSecondPayment(queries: Queries, parts: LedgerParts, fact: Fact): Promise<void> {
  if (fact.kind !== "transaction" || fact.orderId === null || fact.status !== "completed") return;
  const order = await queries
    .selectFrom("orders")
    .select("id")
    .where("id", "=", fact.orderId)
    .where("payment_provider", "=", parts.provider.name)
    .executeTakeFirst();
  if (order === undefined) return;
  parts.log.warn({ order: order.id, transaction: fact.id }, "An order was paid a second time: the second payment is refunded.");
  await refundAndEnd(queries, parts, [fact], order.id, "a second payment of the same order");
}
