/** For tests: orders at a fake payment provider. The test sets its answers and webhooks. */
import { loadCatalogue } from "#server/payments/catalogue.ts";
import { createPayments } from "#server/payments/payments.ts";
import type { Fact, TransactionFact } from "#server/payments/provider.ts";
import type { OrdersTable } from "#server/store/paymentTables.ts";
import type { Store } from "#server/store/store.ts";
import { insertAccount } from "./accounts.ts";
import { createTestStore, createTestWorld, type DatabaseKind, type TestWorld } from "./app.ts";
import { fakeProvider } from "./fakeProvider.ts";

export type FakeShop = Awaited<ReturnType<typeof fakeShop>>;

export async function fakeShop(database: DatabaseKind) {
  const store = await createTestStore(database);
  const shop = shopOn({ store, world: createTestWorld() });
  await shop.stock();
  const close = async () => {
    await shop.payments.stop();
    await store.close();
  };
  return { ...shop, close };
}

/** A shop on a given store, which it leaves open. `stock` gives it its products. */
export function shopOn({ store, world }: { readonly store: Store; readonly world: TestWorld }) {
  const said: string[] = [];
  const provider = fakeProvider({ name: "paddlebilling", keepsCancelled: true });
  const newProcess = (secretKeys: readonly string[] = ["key"]) =>
    createPayments({
      store,
      world,
      providers: [provider],
      log: { warn: (_, message) => void said.push(message), error: (_, message) => void said.push(message) },
      secretKeys,
      onMail: () => void mailed++,
    });
  const payments = newProcess();
  let [version, mailed] = [0, 0];

  return {
    store,
    world,
    provider,
    payments,
    newProcess,
    /** Messages of the log. */
    said,
    stock: () => loadCatalogue(store, (id) => `price of ${id}`, world.now()),
    account: (email?: string) => insertAccount(store, world, email),
    /** Creates an open order that is not paid yet. */
    order: async (accountUuid: string, productId: string): Promise<OrdersTable> => {
      const opened = await payments.open({ accountUuid, productId, couponCode: undefined, mayCreate: async () => null });
      if (opened.kind !== "open") throw new Error(opened.kind);
      return store.read
        .selectFrom("orders")
        .selectAll()
        .where("transaction_id", "=", opened.checkout.transactionId)
        .executeTakeFirstOrThrow();
    },
    paid: (order: OrdersTable, fact: Partial<TransactionFact> = {}): TransactionFact => ({
      kind: "transaction",
      id: order.transaction_id ?? "",
      status: "completed",
      items: [{ priceId: order.price_id, quantity: 1 }],
      subscriptionId: null,
      orderId: order.id,
      total: order.trial_days > 0 ? 0 : order.price,
      tax: 0,
      currency: order.currency,
      forPeriod: true,
      billedAt: world.now(),
      periodEnd: null,
      ...fact,
    }),
    /** Delivers a webhook and resolves when it is applied. Each webhook is newer than the previous one. */
    tell: async (...facts: readonly Fact[]) => {
      const payload = JSON.stringify(facts.map((fact) => ({ version: String(++version).padStart(9, "0"), fact })));
      provider.verify.mockReturnValueOnce({ eventId: world.uuid(), eventType: "told", payload });
      if (!(await payments.receive("paddlebilling", Buffer.from(payload), {}))) throw new Error("The webhook was refused");
      await payments.settled();
    },
    standing: async ({ id }: Pick<OrdersTable, "id">) =>
      (await store.read.selectFrom("orders").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status,
    /** The mails that two more rounds of reconciliation queue for the account, and how often they woke the mailer. */
    remindersOf: async (accountUuid: string, template: "chargeReminder" | "renewalReminder") => {
      const before = mailed;
      for (let round = 0; round < 2; round++) await payments.reconcile();
      const rows = await store.read
        .selectFrom("mail_outbox")
        .select(["recipient", "locale", "data"])
        .where("account_uuid", "=", accountUuid)
        .where("template", "=", template)
        .execute();
      return { mails: rows.map((row) => ({ ...row, data: JSON.parse(row.data) })), woken: mailed - before };
    },
    /** Number of times the mailer was woken. */
    mailed: () => mailed,
  };
}
