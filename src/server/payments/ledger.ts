/**
 * The books: webhooks stored once, facts kept in their newest state, and what follows for orders and entitlements. Each
 * application recomputes an order from all its facts, so neither order nor repetition of events matters.
 */
import { sql } from "kysely";
import * as v from "valibot";
import type { World } from "../base/world.ts";
import type { Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { noteBuyer } from "./buyers.ts";
import { addDuty, wasConfirmed } from "./duties.ts";
import { entitlementNow, entitlementStatusOf, isUsable, type OrderTerms, outcomeOf } from "./entitlement.ts";
import { noteMismatches } from "./mismatches.ts";
import { type Change, newsOf, type PlanNews } from "./planNews.ts";
import { sendReceipt, tellOwner } from "./planMails.ts";
import type { Trials } from "./trials.ts";
import { type Fact, type PaymentProvider, type SignedEvent, storedFactSchema, type VersionedFact } from "./provider.ts";
import type { OrdersTable } from "../store/paymentTables.ts";
import { acceptedOrders, verdictsOn } from "./verdicts.ts";

export interface LedgerLog {
  readonly warn: (details: object, message: string) => void;
  readonly error: (details: object, message: string) => void;
}

export interface Ledger {
  /** Durable once it resolves; the same event counts once. */
  readonly store: (event: SignedEvent) => Promise<void>;
  /** Applies what is stored and not applied yet, oldest first. */
  readonly applyStored: () => Promise<void>;
  /** Applies facts that were asked for instead of told. */
  readonly apply: (facts: readonly VersionedFact[]) => Promise<void>;
  /** Settles orders whose refused payment the operator has accepted since. */
  readonly applyAccepted: () => Promise<void>;
}

const secondPayment = "a second payment of an account that has a plan";
const erasedBuyer = "a payment of an account that was erased before";

const batchSize = 100;
/** Webhooks that are stored by one commit. */
const storeTogether = 100;

export function createLedger(parts: {
  readonly store: Store;
  readonly world: World;
  readonly provider: PaymentProvider;
  readonly trials: Trials;
  readonly log: LedgerLog;
  readonly onMail: () => void;
}): Ledger {
  const { store, world, provider, trials, log } = parts;

  /** Keeps the newer of the known and the new state, and gives what changed; links, once known, stay known. */
  async function keep(queries: Queries, { version, fact }: VersionedFact): Promise<Change | null> {
    // Until the write ends nobody else changes it: each step is seen by one.
    const known = await queries
      .updateTable("provider_facts")
      .set((expression) => ({ version: expression.ref("version") }))
      .where("payment_provider", "=", provider.name)
      .where("id", "=", fact.id)
      .returning(["version", "fact"])
      .executeTakeFirst();
    const transactionId = fact.kind === "transaction" ? fact.id : fact.transactionId;
    const subscriptionId = fact.kind === "subscription" ? fact.id : fact.subscriptionId;
    const kept = await queries
      .insertInto("provider_facts")
      .values({
        payment_provider: provider.name,
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
      .returning("version")
      .executeTakeFirstOrThrow();
    if (kept.version !== version || known?.version === version) return null;
    return { before: known === undefined ? null : v.parse(storedFactSchema, known.fact), after: fact };
  }

  /**
   * Until the write ends nobody else recomputes an order of this one's account. Whoever writes takes locks in one order: facts by
   * their ids, the account, its orders. Two that are at it at once then wait for each other in turn, never in a circle.
   */
  async function lockAccountOf(queries: Queries, orderId: string): Promise<void> {
    await queries
      .updateTable("accounts")
      .set((expression) => ({ updated_at: expression.ref("updated_at") }))
      .where("uuid", "=", (expression) => expression.selectFrom("orders").select("account_uuid").where("id", "=", orderId))
      .execute();
  }

  /** The order that a fact belongs to, if it is one of ours. */
  async function orderIdOf(queries: Queries, { fact }: VersionedFact): Promise<string | null> {
    const links = await queries
      .selectFrom("provider_facts")
      .select(["transaction_id", "subscription_id"])
      .where("payment_provider", "=", provider.name)
      .where("id", "=", fact.id)
      .executeTakeFirst();
    const { transaction_id: transactionId = null, subscription_id: subscriptionId = null } = links ?? {};
    const found = await queries
      .selectFrom("orders")
      .select("id")
      .where("payment_provider", "=", provider.name)
      .where((expression) =>
        expression.or([expression("transaction_id", "=", transactionId), expression("subscription_id", "=", subscriptionId)]),
      )
      .executeTakeFirst();
    if (found !== undefined) return found.id;
    // An adjustment or renewal whose subscription is known only through the first transaction.
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
    // The answer to its creation was lost: the transaction itself says whose it is.
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

  /** What was paid for an order that is paid already, or by someone who has a plan already, goes back, and does not renew. */
  async function giveBack(queries: Queries, facts: readonly Fact[], orderId: string, reason: string): Promise<void> {
    for (const fact of facts) {
      const duty = { provider: provider.name, orderId, reason, now: world.now() };
      if (fact.kind === "transaction" && fact.status === "completed") {
        if (fact.total > 0) await addDuty(queries, { ...duty, kind: "refund", subject: fact.id });
        if (fact.subscriptionId !== null) await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: fact.subscriptionId });
      }
      if (fact.kind === "subscription" && fact.status !== "canceled")
        await addDuty(queries, { ...duty, kind: "cancel-subscription", subject: fact.id });
    }
  }

  /** The account's other orders with what they entitle to. */
  async function othersOf(queries: Queries, order: { readonly id: string; readonly account_uuid: string }) {
    return queries
      .selectFrom("entitlements")
      .innerJoin("orders", "orders.id", "entitlements.order_id")
      .select([
        "orders.id",
        "orders.product_type",
        "orders.payment_provider",
        "orders.subscription_id",
        "entitlements.status",
        "entitlements.ends_at",
      ])
      .where("entitlements.account_uuid", "=", order.account_uuid)
      .where("entitlements.order_id", "!=", order.id)
      .execute();
  }

  /** Somebody has bought: what else they had open or paused cannot be charged any more. */
  async function supersede(
    queries: Queries,
    order: { readonly id: string; readonly account_uuid: string },
    others: Awaited<ReturnType<typeof othersOf>>,
  ): Promise<void> {
    const now = world.now();
    const open = await queries
      .updateTable("orders")
      .set({ status: "cancelled", updated_at: now })
      .where("account_uuid", "=", order.account_uuid)
      .where("status", "=", "pending")
      .where("id", "!=", order.id)
      .returning(["id", "transaction_id", "payment_provider"])
      .execute();
    for (const { id, transaction_id: subject, payment_provider: name } of open)
      if (subject !== null)
        await addDuty(queries, {
          provider: name,
          kind: "cancel-checkout",
          subject,
          orderId: id,
          reason: `superseded by order ${order.id}`,
          now,
        });
    for (const { id, status, subscription_id: subject, payment_provider: name } of others)
      if (status === "paused" && subject !== null)
        await addDuty(queries, {
          provider: name,
          kind: "cancel-subscription",
          subject,
          orderId: id,
          reason: `replaced by order ${order.id}`,
          now,
        });
  }

  /** Whether somebody has another plan than an order's. */
  const hasUsable = (others: Awaited<ReturnType<typeof othersOf>>) =>
    others.some(({ status, ends_at: end, product_type: type }) => {
      const word = entitlementStatusOf(status);
      return word !== null && isUsable(entitlementNow({ status: word, end }, type, world.now()));
    });

  /** Queues the mail about a change; false when there is nothing to tell, or nobody to tell it to. */
  async function tell(queries: Queries, order: OrdersTable, told: PlanNews): Promise<boolean> {
    if (order.account_uuid === null) return false;
    const { news } = told;
    // What is ended because another plan was bought.
    if (news === "cancelled" && hasUsable(await othersOf(queries, { id: order.id, account_uuid: order.account_uuid }))) return false;
    if (news === "cancelled" && order.subscription_id !== null && (await wasConfirmed(queries, provider.name, order.subscription_id)))
      return false;
    return tellOwner(queries, world, order, told);
  }

  /** Brings an order and its entitlement to what its facts say, and tells what changed. Returns whether a mail was queued. */
  async function settle(queries: Queries, orderId: string, change: Change | null, changes: readonly Change[] = []): Promise<boolean> {
    const now = world.now();
    await lockAccountOf(queries, orderId);
    const order = await queries.updateTable("orders").set({ updated_at: now }).where("id", "=", orderId).returningAll().executeTakeFirst();
    if (order?.transaction_id == null) return false;
    const facts = queries.selectFrom("provider_facts").select(["fact", "subscription_id"]).where("payment_provider", "=", provider.name);
    const own = await facts.where("transaction_id", "=", order.transaction_id).execute();
    const subscriptionId = order.subscription_id ?? own.find((row) => row.subscription_id !== null)?.subscription_id ?? null;
    const rows =
      subscriptionId === null
        ? own
        : await facts
            .where((expression) =>
              expression.or([expression("transaction_id", "=", order.transaction_id), expression("subscription_id", "=", subscriptionId)]),
            )
            .execute();
    const known = rows.map(({ fact }) => v.parse(storedFactSchema, fact));
    if (order.status === "duplicate") {
      await giveBack(queries, known, order.id, order.account_uuid === null ? erasedBuyer : secondPayment);
      const told =
        change?.after.kind === "adjustment" ? newsOf(change, { transactionId: null, trialDays: 0 }, known, new Set(), changes) : null;
      return told !== null && tell(queries, order, { ...told, news: "returned" });
    }
    const terms: OrderTerms = {
      productType: order.product_type,
      productPlan: order.product_plan,
      trialDays: order.trial_days,
      priceId: order.price_id,
      quantity: order.quantity,
      transactionId: order.transaction_id,
      currency: order.currency,
    };
    const verdicts = await verdictsOn(queries, { provider: provider.name, now }, order, terms, known);
    const outcome = outcomeOf(terms, known, verdicts);
    await noteMismatches(queries, { world, log }, provider.name, order, outcome.mismatches);
    // Open again is no state an order returns to: one that was given up stays so until it is paid.
    const status = outcome.status === "pending" ? order.status : outcome.status;
    if (status !== order.status || subscriptionId !== order.subscription_id)
      await queries.updateTable("orders").set({ status, subscription_id: subscriptionId }).where("id", "=", order.id).execute();
    const agreed = new Set([...verdicts].flatMap(([id, agrees]) => (agrees ? [id] : [])));
    const told = change && newsOf(change, { transactionId: order.transaction_id, trialDays: order.trial_days }, known, agreed, changes);
    if (outcome.entitlement === null) {
      if (status === "failed")
        await queries
          .updateTable("entitlements")
          .set({ status: "deleted", ends_at: sql`CASE WHEN ends_at > ${now} THEN ${now} ELSE ends_at END`, updated_at: now })
          .where("order_id", "=", order.id)
          .execute();
      // What bought nothing came back.
      return change?.after.kind === "adjustment" && told !== null && tell(queries, order, { ...told, news: "returned" });
    }
    const { status: entitled, end } = outcome.entitlement;
    let isBack = false;
    if (await isNew(queries, order.id)) {
      const buyer =
        order.account_uuid === null ? null : { id: order.id, account_uuid: order.account_uuid, product_plan: order.product_plan };
      const others = buyer === null ? [] : await othersOf(queries, buyer);
      isBack = others.length > 0;
      const reason =
        buyer === null
          ? erasedBuyer
          : hasUsable(others)
            ? secondPayment
            : order.trial_days > 0 && !(await trials.take(queries, buyer))
              ? "a second trial of one person"
              : null;
      if (reason !== null) {
        log.warn({ order: order.id, reason }, "An order is given back.");
        await queries
          .updateTable("orders")
          .set({ status: "duplicate", subscription_id: subscriptionId })
          .where("id", "=", order.id)
          .execute();
        await giveBack(queries, known, order.id, reason);
        return false;
      }
      if (buyer !== null) await supersede(queries, buyer, others);
    }
    const granted = await queries
      .insertInto("entitlements")
      .values({ order_id: order.id, account_uuid: order.account_uuid, status: entitled, ends_at: end, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("order_id").doNothing())
      .returning("order_id")
      .executeTakeFirst();
    if (granted === undefined) {
      await queries
        .updateTable("entitlements")
        .set({ status: entitled, ends_at: end, updated_at: now })
        .where("order_id", "=", order.id)
        .execute();
      return told !== null && tell(queries, { ...order, subscription_id: subscriptionId }, told);
    }
    if (entitled !== "active") return false;
    const first = known.find((fact) => fact.kind === "transaction" && fact.id === order.transaction_id);
    return sendReceipt(queries, world, order, { end, isBack, first: first?.kind === "transaction" ? first : null });
  }

  async function isNew(queries: Queries, orderId: string): Promise<boolean> {
    const row = await queries.selectFrom("entitlements").select("order_id").where("order_id", "=", orderId).executeTakeFirst();
    return row === undefined;
  }

  /** Keeps the facts and settles whom they are about. Returns whether a mail was queued. */
  async function applyFacts(queries: Queries, facts: readonly VersionedFact[]): Promise<boolean> {
    const changes: Change[] = [];
    for (const fact of facts.toSorted((a, b) => (a.fact.id < b.fact.id ? -1 : 1))) {
      const change = await keep(queries, fact);
      if (change !== null) changes.push(change);
    }
    let mail = false;
    for (const fact of facts) mail = (await settleFact(queries, fact, changes)) || mail;
    return mail;
  }

  async function settleFact(queries: Queries, versioned: VersionedFact, changes: readonly Change[]): Promise<boolean> {
    const orderId = await orderIdOf(queries, versioned);
    const change = changes.find(({ after }) => after === versioned.fact) ?? null;
    if (orderId !== null) return settle(queries, orderId, change, changes);
    const { fact } = versioned;
    if (fact.kind !== "transaction" || fact.orderId === null || fact.status !== "completed") return false;
    // A second payment of one order: a pay link that was opened twice.
    const order = await queries
      .selectFrom("orders")
      .select("id")
      .where("id", "=", fact.orderId)
      .where("payment_provider", "=", provider.name)
      .executeTakeFirst();
    if (order === undefined) return false;
    log.warn({ order: order.id, transaction: fact.id }, "An order was paid a second time: it is given back.");
    await giveBack(queries, [fact], order.id, "a second payment of the same order");
    return false;
  }

  async function applyEvent(eventId: string): Promise<void> {
    const mailed = await store.write(async (queries) => {
      const event = await queries
        .updateTable("provider_events")
        .set({ applied_at: world.now() })
        .where("payment_provider", "=", provider.name)
        .where("event_id", "=", eventId)
        .where("applied_at", "is", null)
        .returning(["payment_provider", "event_id", "payload", "received_at"])
        .executeTakeFirst();
      if (event === undefined) return false;
      let facts: readonly VersionedFact[] | null = null;
      try {
        facts = provider.factsOf(event.payload);
      } catch (error) {
        // Signed, yet not the shape we know: kept for a person to look at, and it must not hold up what comes after it.
        log.error({ event: eventId, err: error }, "A webhook's payload could not be read.");
      }
      const mail = facts !== null && (await applyFacts(queries, facts));
      await noteBuyer(queries, event, facts?.map(({ fact }) => fact) ?? null);
      return mail;
    });
    if (mailed) parts.onMail();
  }

  let applying: Promise<void> = Promise.resolve();
  async function drain(): Promise<void> {
    const failed: string[] = [];
    for (;;) {
      const query = store.read
        .selectFrom("provider_events")
        .select("event_id")
        .where("payment_provider", "=", provider.name)
        .where("applied_at", "is", null)
        .orderBy("received_at")
        // Of one moment; a provider's ids grow with time.
        .orderBy("event_id")
        .limit(batchSize);
      const waiting = await (failed.length === 0 ? query : query.where("event_id", "not in", failed)).execute();
      if (waiting.length === 0) return;
      for (const { event_id: id } of waiting) {
        // Whoever sends is answered first; what is stored can wait.
        await storing;
        try {
          await applyEvent(id);
        } catch (error) {
          // It stays stored and is tried again with the next round; the others do not wait for it.
          failed.push(id);
          log.error({ event: id, err: error }, "A webhook could not be applied.");
        }
      }
    }
  }

  const keepEvents = (events: readonly SignedEvent[]) =>
    store.write(async (queries) => {
      await queries
        .insertInto("provider_events")
        .values(
          events.map(({ eventId, eventType, payload }) => ({
            payment_provider: provider.name,
            event_id: eventId,
            event_type: eventType,
            payload,
            received_at: world.now(),
            applied_at: null,
          })),
        )
        .onConflict((conflict) => conflict.columns(["payment_provider", "event_id"]).doNothing())
        .execute();
    });

  // In a burst, what came in during one commit is stored by the next, all of it: each is answered after its own.
  const incoming: { readonly event: SignedEvent; readonly stored: PromiseWithResolvers<void> }[] = [];
  let storing: Promise<void> | null = null;
  async function storeIncoming(): Promise<void> {
    while (incoming.length > 0) {
      const group = incoming.splice(0, storeTogether);
      try {
        await keepEvents(group.map(({ event }) => event));
        for (const { stored } of group) stored.resolve();
      } catch {
        // One that cannot be stored must not keep the others out.
        for (const { event, stored } of group) await keepEvents([event]).then(stored.resolve, stored.reject);
      }
    }
    storing = null;
  }

  return {
    store: (event) => {
      const stored = Promise.withResolvers<void>();
      incoming.push({ event, stored });
      storing ??= storeIncoming();
      return stored.promise;
    },
    applyStored: () => (applying = applying.catch(() => undefined).then(drain)),
    apply: async (facts) => {
      if (await store.write((queries) => applyFacts(queries, facts))) parts.onMail();
    },
    applyAccepted: async () => {
      for (const orderId of await acceptedOrders(store.read, provider.name))
        if (await store.write((queries) => settle(queries, orderId, null))) parts.onMail();
    },
  };
}
