/** Verdicts do not change later, even if they were made before verdicts were stored, or by an older process that stores none. */
import { insertAccount } from "#test/accounts.ts";
import { createTestStore, createTestWorld, sampledDatabases, type TestWorld } from "#test/app.ts";
import { fakeProvider } from "#test/fakeProvider.ts";
import { migrate, readMigrations } from "#server/store/migrate.ts";
import type { Store } from "#server/store/store.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { createPayments } from "./payments.ts";
import type { Fact, SubscriptionFact, TransactionFact } from "./provider.ts";
import type { PaymentService } from "./service.ts";
import { keptVerdicts, overrule } from "./verdicts.ts";

const migration = "20261122131000_payment_verdicts";
const day = 86_400_000;

describe.each(sampledDatabases)("verdicts on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let provider: ReturnType<typeof fakeProvider>;
  let payments: PaymentService;
  beforeEach(async () => {
    store = await createTestStore(database, migration);
    world = createTestWorld();
    provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
    // Loading the catalogue records its prices.
    const recording = readMigrations(store.dialect).filter(({ name }) => name.endsWith("_prices_asked"));
    await migrate(store, world.now(), recording);
    await loadCatalogue(store, (id) => `price of ${id}`, world.now());
    payments = createPayments({
      store,
      world,
      providers: [provider],
      log: { warn: () => undefined, error: () => undefined },
      secretKeys: ["key"],
      onMail: () => undefined,
    });
  });
  afterEach(async () => {
    await payments.stop();
    await store.close();
  });

  const transaction = (order: string, fact: Partial<TransactionFact> = {}): TransactionFact => ({
    kind: "transaction",
    id: `txn ${order}`,
    status: "completed",
    items: [{ priceId: "price of subscription-1m-mxn", quantity: 1 }],
    subscriptionId: `sub ${order}`,
    orderId: order,
    // A price that it never had.
    total: 5_000,
    tax: 0,
    currency: "MXN",
    forPeriod: true,
    billedAt: world.now(),
    periodEnd: null,
    ...fact,
  });
  const renewal = (order: string, fact: Partial<TransactionFact> = {}) =>
    transaction(order, { id: `renewal ${order}`, orderId: null, billedAt: world.now() + 1, ...fact });
  const subscription = (order: string): SubscriptionFact => ({
    kind: "subscription",
    id: `sub ${order}`,
    status: "active",
    transactionId: `txn ${order}`,
    end: world.now() + 60 * day,
    trialing: false,
    nextCharge: null,
    change: null,
  });

  /** A row as an earlier release left it. */
  async function kept(id: string, status: string, facts: readonly Fact[], refused: readonly (readonly [string, number | null])[] = []) {
    const account = await insertAccount(store, world);
    const now = world.now();
    await store.write(async (queries) => {
      await queries
        .insertInto("orders")
        .values({
          id,
          account_uuid: account,
          product_id: "subscription-1m-mxn",
          product_type: "subscription",
          product_plan: "1M",
          trial_days: 0,
          price_id: "price of subscription-1m-mxn",
          quantity: 1,
          currency: "MXN",
          price: 34_900,
          coupon_code: null,
          payment_provider: "paddlebilling",
          status,
          transaction_id: `txn ${id}`,
          hosted_url: null,
          subscription_id: `sub ${id}`,
          created_at: now,
          updated_at: now,
          checked_at: null,
        })
        .execute();
      if (status === "completed")
        await queries
          .insertInto("entitlements")
          .values({ order_id: id, account_uuid: account, status: "active", ends_at: now + 30 * day, created_at: now, updated_at: now })
          .execute();
      for (const fact of facts)
        await queries
          .insertInto("provider_facts")
          .values({
            payment_provider: "paddlebilling",
            id: fact.id,
            version: "1",
            fact: JSON.stringify(fact),
            transaction_id: fact.kind === "transaction" ? fact.id : fact.transactionId,
            subscription_id: `sub ${id}`,
          })
          .execute();
      for (const [transactionId, settledAt] of refused)
        await queries
          .insertInto("payment_mismatches")
          .values({
            payment_provider: "paddlebilling",
            transaction_id: transactionId,
            order_id: id,
            currency: "MXN",
            total: 5_000,
            noted_at: now,
            settled_at: settledAt,
          })
          .execute();
    });
  }
  let told = 0;
  async function tell(...facts: readonly Fact[]) {
    const payload = JSON.stringify(facts.map((fact) => ({ version: String(++told + 1).padStart(9, "2"), fact })));
    provider.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType: "told", payload });
    expect(await payments.receive("paddlebilling", Buffer.from(payload), {})).toBe(true);
    await payments.settled();
  }
  const standing = async (order: string) => {
    const { status } = await store.read.selectFrom("orders").select("status").where("id", "=", order).executeTakeFirstOrThrow();
    const plan = await store.read.selectFrom("entitlements").select(["status", "ends_at"]).where("order_id", "=", order).executeTakeFirst();
    return [status, plan?.status ?? null, plan?.ends_at == null ? null : Math.round((plan.ends_at - world.now()) / day)];
  };
  const refused = async () =>
    (
      await store.read
        .selectFrom("payment_mismatches")
        .select("transaction_id")
        .where("settled_at", "is", null)
        .orderBy("transaction_id")
        .execute()
    ).map(({ transaction_id: id }) => id);

  it("on payments that completed an order or were refused do not change with the price", async () => {
    await kept("agreed", "completed", [transaction("agreed"), renewal("agreed"), subscription("agreed")]);
    await kept("short", "completed", [transaction("short"), renewal("short"), subscription("short")], [["renewal short", null]]);
    await kept("open", "completed", [transaction("open"), renewal("open", { status: "open" }), subscription("open")]);
    await kept("refused", "failed", [transaction("refused")], [["txn refused", null]]);
    await kept("settled", "failed", [transaction("settled")], [["txn settled", 1]]);
    await migrate(store, 2);
    await store.write((queries) => queries.updateTable("products").set({ price: 5_000 }).execute());
    for (const order of ["agreed", "short", "refused", "settled"]) await tell(transaction(order));
    await store.write((queries) => queries.updateTable("products").set({ price: 40_000 }).execute());
    for (const order of ["agreed", "short", "refused", "settled"]) await tell(transaction(order));
    await tell(renewal("open"));
    expect(await standing("agreed")).toEqual(["completed", "active", 60]);
    expect(await standing("short")).toEqual(["completed", "active", 30]);
    expect(await standing("open")).toEqual(["completed", "active", 30]);
    expect(await standing("refused")).toEqual(["failed", null, null]);
    expect(await standing("settled")).toEqual(["failed", null, null]);
    expect(await refused()).toEqual(["renewal open", "renewal short", "txn refused"]);
  });

  it("accept a payment by which a process of the previous release completes an order", async () => {
    await migrate(store, 2);
    await kept("beside", "completed", [transaction("beside")]);
    await tell(transaction("beside"), subscription("beside"));
    expect(await standing("beside")).toEqual(["completed", "active", 60]);
    // Reported with another amount, it is judged again.
    await tell(transaction("beside", { total: 4_000 }));
    expect(await standing("beside")).toEqual(["failed", "deleted", 0]);
    await tell(transaction("beside", { total: 34_900 }));
    expect(await standing("beside")).toEqual(["completed", "active", 60]);
    await tell(transaction("beside", { total: 34_900, currency: "CLP" }));
    expect(await standing("beside")).toEqual(["failed", "deleted", 0]);
    await tell(transaction("beside", { total: 34_900, items: [{ priceId: "cheaper", quantity: 1 }] }));
    expect(await standing("beside")).toEqual(["failed", "deleted", 0]);
  });

  it("that refuse a payment of unknown tax are not stored, because with the tax it may match", async () => {
    await migrate(store, 2);
    await kept("taxed", "pending", []);
    await tell(transaction("taxed", { total: 49_900, taxUntold: true }), subscription("taxed"));
    expect(await standing("taxed")).toEqual(["failed", null, null]);
    expect(await refused()).toEqual(["txn taxed"]);
    await tell(transaction("taxed", { total: 49_900, tax: 15_000 }));
    expect(await standing("taxed")).toEqual(["completed", "active", 60]);
    expect(await refused()).toEqual([]);
    // An order that matches without it still matches with it.
    await kept("more", "pending", []);
    await tell(transaction("more", { total: 40_000, taxUntold: true }), subscription("more"));
    expect(await standing("more")).toEqual(["completed", "active", 60]);
    await tell(transaction("more", { total: 40_000, tax: 1 }));
    expect(await standing("more")).toEqual(["completed", "active", 60]);
  });

  it("are read as they were stored, an operator's before the others, for the reported amount", async () => {
    await migrate(store, 2);
    await kept("judged", "completed", [transaction("judged")]);
    await kept("refused", "pending", []);
    await kept("accepted", "pending", []);
    await tell(transaction("judged"), subscription("judged"));
    await tell(transaction("refused", { total: 7 }));
    await tell(transaction("accepted", { total: 7 }));
    await store.write((queries) =>
      overrule(queries, { payment_provider: "paddlebilling", transaction_id: "txn accepted" }, true, world.now()),
    );
    const read = async (...facts: readonly Fact[]) => Object.fromEntries(await keptVerdicts(store.read, "paddlebilling", facts));
    expect(await read(transaction("judged"), subscription("judged"), transaction("refused", { total: 7 }), transaction("unknown"))).toEqual(
      {
        "txn judged": true,
        "txn refused": false,
      },
    );
    expect(await read(transaction("judged", { total: 7 }), transaction("refused", { total: 8 }))).toEqual({});
    for (const total of [7, 8]) expect(await read(transaction("accepted", { total }))).toEqual({ "txn accepted": true });
    expect(await read(subscription("judged"))).toEqual({});
    expect(await keptVerdicts(store.read, "paddle", [transaction("judged")])).toEqual(new Map());
  });
});
